//! The embed matrix: Chromium, and the two other families of browsers as Debian packages them.

use std::path::PathBuf;

use anyhow::Result;

use crate::browser::Browser;
use crate::debian;
use crate::process::{self, say};

/// One more browser, and how the tests are told of it.
#[derive(Clone, Copy, Debug)]
struct Other {
    name: &'static str,
    /// Debian packages that bring it.
    packages: &'static [&'static str],
    /// How others get it.
    advice: &'static str,
    /// Each variable of the tests with the place of the program that it names; `None` if a program is missing.
    find: fn() -> Option<Vec<(&'static str, PathBuf)>>,
}

const OTHERS: [Other; 2] = [
    Other {
        name: "Firefox",
        packages: &["firefox-esr"],
        advice: "install Firefox, or set GOODPUT_FIREFOX to where it is",
        find: firefox,
    },
    Other {
        name: "WebKitGTK",
        packages: &["webkit2gtk-driver", "xvfb"],
        advice: "install WebKitGTK's WebKitWebDriver and MiniBrowser, and Xvfb (on Debian: webkit2gtk-driver and xvfb)",
        find: webkit,
    },
];

/// Runs the matrix in every browser that is here or can be had, and says which is left out.
///
/// # Errors
/// If there is no Chromium, or a case fails.
pub(crate) fn matrix() -> Result<()> {
    let mut tests = Browser::ensure()?.playwright();
    tests.args(["test", "--config", "matrix/matrix.config.js"]);
    for other in OTHERS {
        match other.ensure() {
            Some(variables) => {
                tests.envs(variables);
            }
            None => say(format!("the embed matrix is not run in {}, which is missing: {}", other.name, other.advice)),
        }
    }
    process::run(&mut tests)
}

/// Installs the other browsers where we may.
pub(crate) fn setup() {
    for other in OTHERS {
        other.ensure();
    }
}

impl Other {
    fn ensure(self) -> Option<Vec<(&'static str, PathBuf)>> {
        let find = self.find;
        find().or_else(|| {
            let is_installed = debian::may_install() && debian::install(self.packages, "about a minute").is_ok();
            is_installed.then(find).flatten()
        })
    }
}

fn firefox() -> Option<Vec<(&'static str, PathBuf)>> {
    const VARIABLE: &str = "GOODPUT_FIREFOX";
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    let on_path = ["firefox-esr", "firefox"].into_iter().filter_map(process::find);
    let on_mac = PathBuf::from("/Applications/Firefox.app/Contents/MacOS/firefox");
    let found = named.into_iter().chain(on_path).chain([on_mac]).find(|path| path.is_file())?;
    Some(vec![(VARIABLE, found)])
}

fn webkit() -> Option<Vec<(&'static str, PathBuf)>> {
    process::find("Xvfb")?;
    Some(vec![("GOODPUT_WEBKIT_DRIVER", process::find("WebKitWebDriver")?), ("GOODPUT_WEBKIT", minibrowser()?)])
}

/// The small browser that comes with WebKitGTK. It is on no PATH: Debian has it below the folder of the architecture.
fn minibrowser() -> Option<PathBuf> {
    let below = |folder: &str| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    ["/usr/lib", "/usr/libexec"]
        .into_iter()
        .flat_map(|folder| below(folder).chain([PathBuf::from(folder)]))
        .flat_map(|folder| ["webkit2gtk-4.1", "webkitgtk-6.0"].map(|version| folder.join(version).join("MiniBrowser")))
        .find(|path| path.is_file())
}
