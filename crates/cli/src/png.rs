//! Pictures of points, for previews of links, which take no SVG.

use std::sync::Arc;

use anyhow::Context;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// The only font: no other is looked for, so that a picture is the same wherever it is drawn.
const FONT_FAMILY: &str = "Noto Sans";

/// The SVG picture as a PNG file, a pixel for each CSS pixel.
pub(crate) fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let mut fonts = Database::new();
    for font in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family(FONT_FAMILY);
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).context("cannot read the picture")?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).context("the picture is too large")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().context("cannot write the picture as PNG")
}

#[cfg(test)]
mod tests {
    use goodput_charts::FONT_FAMILY;

    use super::png;

    #[test]
    fn letters_are_drawn_without_a_font_of_the_system_and_bold_ones_bold() {
        let drawn = |text: &str| {
            let svg = format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><text y="20" font-family="{FONT_FAMILY}">{text}</text></svg>"#
            );
            png(&svg).expect("a picture")
        };
        let [nothing, plain, bold] = ["", "5 µs", r#"<tspan font-weight="bold">5 µs</tspan>"#].map(drawn);
        assert!(nothing != plain && plain != bold && bold != nothing);
    }
}
