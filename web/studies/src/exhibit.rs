//! What a study shows: one line, pictures with values to read off, and the same as tables.

use goodput_charts::{Diagram, HeatMap, Lanes, Theme};

/// What a study shows of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Exhibit {
    /// What it shows now, in one line.
    pub headline: String,
    /// The pictures, in the order in which they are shown.
    pub pictures: Vec<Picture>,
    /// The same figures for those who would rather read.
    pub tables: Vec<Table>,
}

/// A picture with values to read off.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What is drawn.
    pub drawing: Drawing,
    /// What can be moved to read values: one slider for a diagram, two for a map, none for lanes.
    pub sliders: Vec<Slider>,
    /// What is read at each place; the places of the first slider follow each other.
    pub readings: Vec<String>,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// A diagram, and the values of x that its slider goes through.
    Diagram(Box<Diagram>, Vec<f64>),
    /// A map, whose sliders go through its columns and rows.
    HeatMap(Box<HeatMap>),
    /// Values in lanes, each with its words beside it: nothing is left to read off.
    Lanes(Box<Lanes>),
}

/// A slider that goes through a list of places.
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    /// What is chosen with it.
    pub label: String,
    /// The places, in words.
    pub places: Vec<String>,
    /// Where it stands at first.
    pub start: usize,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The head of each column; the first is that of the rows' own heads.
    pub head: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl Picture {
    /// What is read where the sliders stand, the first slider first.
    #[must_use]
    pub fn reading(&self, at: &[usize]) -> &str {
        let mut index = 0;
        for (slider, at) in self.sliders.iter().zip(at).rev() {
            index = index * slider.places.len() + at;
        }
        self.readings.get(index).map_or("", String::as_str)
    }
}

impl Drawing {
    /// What the picture shows, in words.
    #[must_use]
    pub fn caption(&self) -> &str {
        match self {
            Self::Diagram(diagram, _) => &diagram.chart.caption,
            Self::HeatMap(map) => &map.caption,
            Self::Lanes(lanes) => &lanes.caption,
        }
    }

    /// How high the picture is to be [CSS px].
    #[must_use]
    pub fn height(&self) -> u32 {
        match self {
            Self::Diagram(..) => 260,
            Self::HeatMap(_) => 320,
            Self::Lanes(lanes) => lanes.height(),
        }
    }

    /// The picture as an SVG document of `size` CSS pixels; with `at`, marked where the sliders stand.
    #[must_use]
    pub fn svg(&self, theme: &Theme, size: (u32, u32), at: Option<&[usize]>) -> String {
        match self {
            Self::Diagram(diagram, places) => {
                let x = at.and_then(|at| places.get(*at.first()?).copied());
                diagram.svg(theme, size, x)
            }
            Self::HeatMap(map) => {
                let cell = at.and_then(|at| Some((*at.first()?, *at.get(1)?)));
                map.svg(theme, size, cell)
            }
            Self::Lanes(lanes) => lanes.svg(theme, size),
        }
    }

    /// Where the sliders stand for a place in the picture [CSS px from its top left corner].
    #[must_use]
    pub fn places_at(&self, theme: &Theme, size: (u32, u32), (left, top): (f64, f64)) -> Vec<usize> {
        match self {
            Self::Diagram(diagram, places) => {
                let x = diagram.chart.x.position(diagram.x_at(theme, size, left));
                let away = |place: &f64| (diagram.chart.x.position(*place) - x).abs();
                let nearest = (0..places.len()).min_by(|&a, &b| away(&places[a]).total_cmp(&away(&places[b])));
                vec![nearest.unwrap_or_default()]
            }
            Self::HeatMap(map) => {
                let (column, row) = map.cell_at(theme, size, (left, top));
                vec![column, row]
            }
            Self::Lanes(_) => Vec::new(),
        }
    }
}
