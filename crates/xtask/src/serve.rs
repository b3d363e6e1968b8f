//! `cargo xtask serve`: builds the site, serves it, and rebuilds it when a source changes.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};

use crate::process::{self, root, say};
use crate::targets;
use crate::tools::Toolbox;

/// How many ports after the wanted one are tried.
const PORTS_TRIED: u16 = 100;
/// How often we look whether the server is up, gone, or to be stopped.
const TICK: Duration = Duration::from_millis(100);

/// Serves on the first free port from `wanted` until Ctrl-C.
///
/// # Errors
/// If a tool is missing and cannot be installed, no port is free, or the build fails.
pub(crate) fn run(wanted: u16, open: bool) -> Result<()> {
    say("building the site and serving it: about two minutes the first time, half a minute after a change");
    targets::ensure(&[targets::PAGE])?;
    let toolbox = Toolbox::ensure()?;
    let port = free_port(wanted)?;
    if port != wanted {
        say(format!("port {wanted} is busy, using {port}"));
    }

    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed)).context("cannot listen for Ctrl-C")?;

    let started = SystemTime::now();
    let mut trunk = toolbox.trunk("serve")?;
    trunk.args(["--port", &port.to_string()]);
    if open {
        trunk.arg("--open=true");
    }
    let child = trunk.spawn().context("cannot start Trunk")?;
    let mut server = Server { child, port };

    let early_end = server.wait_until(&stop, || answers(port))?;
    if early_end.is_none() && !stop.load(Ordering::Relaxed) {
        // Trunk serves whatever is in dist/ even if the build failed.
        if !was_built_since(started) {
            bail!("the site was not built: see the messages above");
        }
        println!("\n  Goodput Lab is at http://127.0.0.1:{port}/   (Ctrl-C stops it)\n");
        process::flush();
    }
    let end = match early_end {
        Some(status) => Some(status),
        None => server.wait_until(&stop, || false)?,
    };
    match end {
        Some(status) if !status.success() => bail!("the server ended by itself ({status})"),
        _ => Ok(()),
    }
}

/// Trunk as our child; it ends when we do.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Waits for a condition. Returns the status if the server ended before.
    fn wait_until(&mut self, stop: &AtomicBool, condition: impl Fn() -> bool) -> Result<Option<ExitStatus>> {
        while !stop.load(Ordering::Relaxed) {
            if let Some(status) = self.child.try_wait().context("lost the server")? {
                return Ok(Some(status));
            }
            if condition() {
                break;
            }
            sleep(TICK);
        }
        Ok(None)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already, from the same Ctrl-C.
        let _ = self.child.kill();
        let _ = self.child.wait();
        say(format!("stopped serving on port {}", self.port));
    }
}

fn free_port(wanted: u16) -> Result<u16> {
    let last = wanted.saturating_add(PORTS_TRIED);
    (wanted..=last)
        .find(|&port| !answers(port) && TcpListener::bind(address(port)).is_ok())
        .with_context(|| format!("no port from {wanted} to {last} is free: choose another with --port"))
}

fn answers(port: u16) -> bool {
    TcpStream::connect_timeout(&address(port), TICK).is_ok()
}

fn address(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

fn was_built_since(start: SystemTime) -> bool {
    let page: PathBuf = root().join("dist").join("index.html");
    page.metadata().and_then(|meta| meta.modified()).is_ok_and(|written| written >= start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_port_gives_way_to_a_later_one() {
        let busy = TcpListener::bind(address(0)).expect("some port is free");
        let wanted = busy.local_addr().expect("it is bound").port();
        let free = free_port(wanted).expect("one of the next hundred is free");
        assert!(free > wanted);
    }
}
