//! The process `coxswain test-server`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::Result;

pub struct Server {
    process: Child,
    kubeconfig: PathBuf,
    _folder: TempDir,
}

impl Server {
    pub fn start(flags: &[&str]) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("coxswain-").tempdir()?;
        let kubeconfig = folder.path().join("kubeconfig");
        let words = command();
        let mut process = Command::new(&words[0])
            .args(&words[1..])
            .args(["test-server", "--stop-with-input"])
            .arg(format!("--kubeconfig={}", kubeconfig.display()))
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut lines = BufReader::new(process.stderr.take().expect("it is piped"));
        let server = Self {
            process,
            kubeconfig,
            _folder: folder,
        };
        let mut said = String::new();
        loop {
            let start = said.len();
            if lines.read_line(&mut said)? == 0 {
                return Err(format!("coxswain test-server did not start:\n{said}").into());
            }
            if said[start..].starts_with("Ready.") {
                break;
            }
        }
        // Nobody reads its log from here on, and a full pipe would hold it up.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        Ok(server)
    }

    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

fn command() -> Vec<String> {
    let given = std::env::var("COXSWAIN_COMMAND").unwrap_or_default();
    if !given.trim().is_empty() {
        return given.split_whitespace().map(str::to_owned).collect();
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&paths).any(|folder| folder.join("coxswain").is_file()) {
        return vec!["coxswain".to_owned()];
    }
    ["npx", "--yes", "coxswain"].map(str::to_owned).to_vec()
}
