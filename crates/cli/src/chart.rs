//! `goodput chart`: the page's charts as files, SVG or PNG.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use goodput_charts::{Chart, ChartId, Marks, Scheme, Theme, rate_chart, svg, time_chart};
use goodput_sim::{Engine, Report, ValidScenario};

use crate::png::png;
use crate::rates::{PAGE_RATES, Rates};
use crate::scenario_args::ScenarioArgs;

/// The size of a chart on a wide page [CSS pixels].
pub(crate) const WIDE: (u32, u32) = (560, 280);

/// Draw a chart as an SVG or PNG file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ChartArgs {
    /// The file to write: SVG, or PNG if its name ends so
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Which chart: four over the arrival rate, and waiting and running over the time of one run
    #[arg(long, default_value = ChartId::Throughput.name(), value_parser = chart_id())]
    chart: ChartId,
    /// Arrival rates to draw the curves from: FROM:TO:STEP with both ends, or a list as 4,5,6
    #[arg(long, default_value = PAGE_RATES, allow_hyphen_values = true)]
    rates: Rates,
    /// Colours
    #[arg(long, value_enum, default_value_t = ThemeName::Light)]
    theme: ThemeName,
    /// Width [CSS pixels]
    #[arg(long, value_name = "PX", default_value_t = WIDE.0, value_parser = clap::value_parser!(u32).range(200..=4000))]
    width: u32,
    /// Height [CSS pixels]
    #[arg(long, value_name = "PX", default_value_t = WIDE.1, value_parser = clap::value_parser!(u32).range(120..=4000))]
    height: u32,
    #[command(flatten)]
    scenario: ScenarioArgs,
}

const EXAMPLES: &str = "\
The rate of the scenario is marked on the curves; it is the run that the time chart shows.

Examples:
  goodput chart --out throughput.svg
  goodput chart --chart ttft --rate 5.5 --theme dark --out ttft.svg
  goodput chart --chart goodput --rates 2:10:0.05 --max-batch 128 --out goodput.svg
  goodput chart --chart time --preset overload --width 900 --out time.png";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ThemeName {
    /// Dark ink on a light page
    Light,
    /// Light ink on a dark page
    Dark,
}

impl From<ThemeName> for Scheme {
    fn from(name: ThemeName) -> Self {
        match name {
            ThemeName::Light => Self::Light,
            ThemeName::Dark => Self::Dark,
        }
    }
}

fn chart_id() -> impl TypedValueParser<Value = ChartId> {
    PossibleValuesParser::new(ChartId::ALL.map(ChartId::name)).map(|name| {
        let id = ChartId::ALL.into_iter().find(|id| id.name() == name);
        id.expect("the parser lets only these names pass")
    })
}

impl ChartArgs {
    pub(crate) fn execute(&self) -> anyhow::Result<()> {
        let scenario = self.scenario.scenario()?.validate()?;
        let picture = Picture::new(self.chart, &scenario, &self.rates)?;
        let svg = picture.svg(&Theme::new(self.theme.into(), 1.0), (self.width, self.height));
        match self.out.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("png") => write(&self.out, png(&svg)?),
            _ => write(&self.out, svg),
        }
    }
}

/// What is to be drawn, in any colours and size.
pub(crate) struct Picture {
    chart: Chart,
    marks: Marks,
}

impl Picture {
    /// A chart of the scenario's run, or of the scenario over many rates with its own marked.
    pub(crate) fn new(id: ChartId, scenario: &ValidScenario, rates: &Rates) -> anyhow::Result<Self> {
        let mut engine = Engine::new();
        if id == ChartId::Time {
            return Ok(Self { chart: time_chart(&engine.run(scenario), scenario), marks: Marks::default() });
        }
        let curve = curve(&mut engine, scenario, rates)?;
        let marks = Marks { current: Some(scenario.get().rate), ..Marks::default() };
        Ok(Self { chart: rate_chart(id, scenario, &curve), marks })
    }

    pub(crate) fn svg(&self, theme: &Theme, size: (u32, u32)) -> String {
        svg(&self.chart, theme, size, &self.marks)
    }
}

/// The scenario at many rates and at its own: charts write only numbers that were simulated, and they mark it.
pub(crate) fn curve(engine: &mut Engine, scenario: &ValidScenario, rates: &Rates) -> anyhow::Result<Vec<Report>> {
    let mut at_rates = rates.with(scenario.get().rate).scenarios(scenario.get())?;
    at_rates.sort_by(|a, b| a.get().rate.total_cmp(&b.get().rate));
    Ok(at_rates.iter().map(|scenario| engine.run(scenario).report()).collect())
}

/// Touches the file only now that its content is complete.
pub(crate) fn write(file: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))
}
