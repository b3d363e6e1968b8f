//! `goodput chart` and `goodput stills`: the page's charts as SVG files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use goodput_charts::{
    Chart, ChartId, Marks, Order, STILL_S, Scene, Scheme, Theme, rate_chart, scene_svg, svg, time_chart,
};
use goodput_sim::{Engine, SimTime, ValidScenario};

use crate::rates::{PAGE_RATES, Rates};
use crate::scenario_args::ScenarioArgs;

/// The size of a chart on a wide page, of the one that has the page's whole width, and on a narrow page [CSS pixels].
const WIDE: (u32, u32) = (560, 280);
const WHOLE_WIDTH: (u32, u32) = (1160, 240);
const NARROW: (u32, u32) = (320, 240);
/// The size of the moving picture on a narrow page [CSS pixels]; on a wide one it has the page's whole width.
const SCENE_NARROW: (u32, u32) = (328, 320);

/// Draw a chart as an SVG file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ChartArgs {
    /// The file to write
    #[arg(long, value_name = "FILE.svg")]
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
  goodput chart --chart time --rate 6 --width 900 --out time.svg";

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
        write(&self.out, picture.svg(&Theme::new(self.theme.into(), 1.0), (self.width, self.height)))
    }
}

/// Draw the charts that the page shows before its engine runs
#[derive(Debug, Args)]
pub(crate) struct StillsArgs {
    /// The directory to write to; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl StillsArgs {
    pub(crate) fn execute(&self) -> anyhow::Result<()> {
        fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        let rates = PAGE_RATES.parse()?;
        for id in ChartId::ALL {
            let picture = Picture::new(id, &ValidScenario::default(), &rates)?;
            let wide = if id == ChartId::Time { WHOLE_WIDTH } else { WIDE };
            self.stills(id.name(), [wide, NARROW], |theme, size| picture.svg(theme, size))?;
        }
        let scenario = ValidScenario::default();
        let mut engine = Engine::new();
        let scene = Scene::of(&engine.run(&scenario), SimTime::from_secs(STILL_S), Order::Slot);
        self.stills("scene", [WHOLE_WIDTH, SCENE_NARROW], |theme, size| scene_svg(&scene, theme, size))
    }

    /// A picture for wide and narrow pages, light and dark.
    fn stills(
        &self,
        name: &str,
        [wide, narrow]: [(u32, u32); 2],
        draw: impl Fn(&Theme, (u32, u32)) -> String,
    ) -> anyhow::Result<()> {
        for (size, width) in [(wide, ""), (narrow, "-narrow")] {
            for (scheme, theme) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
                let file = self.out.join(format!("{name}{width}-{theme}.svg"));
                write(&file, draw(&Theme::new(scheme, 1.0), size))?;
            }
        }
        Ok(())
    }
}

/// What is to be drawn, in any colours and size.
struct Picture {
    chart: Chart,
    marks: Marks,
}

impl Picture {
    /// A chart of the scenario's run, or of the scenario over many rates with its own marked.
    fn new(id: ChartId, scenario: &ValidScenario, rates: &Rates) -> anyhow::Result<Self> {
        let mut engine = Engine::new();
        if id == ChartId::Time {
            return Ok(Self { chart: time_chart(&engine.run(scenario), scenario), marks: Marks::default() });
        }
        let rate = scenario.get().rate;
        // Charts write only numbers that were simulated, so the marked rate is simulated too.
        let mut at_rates = rates.with(rate).scenarios(scenario.get())?;
        at_rates.sort_by(|a, b| a.get().rate.total_cmp(&b.get().rate));
        let curve: Vec<_> = at_rates.iter().map(|scenario| engine.run(scenario).report()).collect();
        Ok(Self { chart: rate_chart(id, scenario, &curve), marks: Marks { current: Some(rate), ..Marks::default() } })
    }

    fn svg(&self, theme: &Theme, size: (u32, u32)) -> String {
        svg(&self.chart, theme, size, &self.marks)
    }
}

/// Touches the file only now that the picture is complete.
fn write(file: &Path, svg: String) -> anyhow::Result<()> {
    fs::write(file, svg).with_context(|| format!("cannot write {}", file.display()))
}
