//! `goodput stills`: the pictures that are drawn when the site is built.
//!
//! Two kinds. Those of the page's own charts stand in it until the engine paints over them. Those of the lesson's presets
//! are for the pages of others: one picture of the whole state, light, dark and as PNG, with its oEmbed answer beside it.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use goodput_charts::{ChartId, Order, Poster, STILL_S, Scene, Scheme, Theme, poster_svg, scene_svg};
use goodput_sim::{Engine, PRESETS, Preset, SimTime, ValidScenario};

use crate::chart::{Picture, WIDE, curve, write};
use crate::oembed::{OEmbed, Site};
use crate::png::png;
use crate::rates::{PAGE_RATES, Rates};

/// The size of a chart that has a wide page's whole width, and of one on a narrow page [CSS pixels].
const WHOLE_WIDTH: (u32, u32) = (1160, 240);
const NARROW: (u32, u32) = (320, 240);
/// The size of the moving picture on a narrow page [CSS pixels]; on a wide one it has the page's whole width.
const SCENE_NARROW: (u32, u32) = (328, 320);

/// Draw the still pictures of the page's charts and of the lesson's presets
#[derive(Debug, Args)]
pub(crate) struct StillsArgs {
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Where the site will be, with the folder of its version; without it, addresses are relative to the files
    #[arg(long, value_name = "URL")]
    site_url: Option<Site>,
}

impl StillsArgs {
    pub(crate) fn execute(&self) -> anyhow::Result<()> {
        fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        let rates = PAGE_RATES.parse()?;
        for id in ChartId::ALL {
            let picture = Picture::new(id, &ValidScenario::default(), &rates)?;
            let wide = if id == ChartId::Time { WHOLE_WIDTH } else { WIDE };
            self.of_the_page(id.name(), [wide, NARROW], |theme, size| picture.svg(theme, size))?;
        }
        let scenario = ValidScenario::default();
        let mut engine = Engine::new();
        let scene = Scene::of(&engine.run(&scenario), SimTime::from_secs(STILL_S), Order::Slot);
        self.of_the_page("scene", [WHOLE_WIDTH, SCENE_NARROW], |theme, size| scene_svg(&scene, theme, size))?;
        // Over the lesson's rates the curves of other servers would be cut off, or lie in a corner.
        let mut lessons = PRESETS.iter().filter(|preset| preset.is_of_the_lesson());
        lessons.try_for_each(|preset| self.of_a_preset(preset, &rates))
    }

    /// A picture for wide and narrow pages, light and dark.
    fn of_the_page(
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

    /// The whole state in one picture, and what a page learns that asks how to embed it.
    fn of_a_preset(&self, preset: &Preset, rates: &Rates) -> anyhow::Result<()> {
        let scenario = preset.scenario().validate()?;
        let mut engine = Engine::new();
        let report = engine.run(&scenario).report();
        let poster = Poster::new(&scenario, &report, &curve(&mut engine, &scenario, rates)?);
        let [light, dark] = [Scheme::Light, Scheme::Dark].map(|scheme| poster_svg(&poster, &Theme::new(scheme, 1.0)));
        let file = |ending: &str| self.out.join(format!("{}{ending}", preset.name));
        write(&file(".png"), png(&light)?)?;
        write(&file(".svg"), light)?;
        write(&file("-dark.svg"), dark)?;
        let oembed = OEmbed::new(preset.name, &poster.title, self.site_url.as_ref());
        write(&file(".oembed.json"), serde_json::to_string_pretty(&oembed)? + "\n")
    }
}
