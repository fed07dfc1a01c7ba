//! A Kubernetes cluster for tests: API server, controllers, scheduler and simulated nodes in one process, with a clock that
//! moves when a test says so, and faults on demand.

mod server;

use std::path::Path;

use base64::{prelude::BASE64_STANDARD, Engine};
use serde_json::{json, Value};
use ureq::http::Request;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::Agent;

use server::Server;

/// What goes wrong here is for a person who reads the output of a test.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A cluster of its own, which ends when it is dropped.
pub struct Cluster {
    server: Server,
    agent: Agent,
    address: String,
    token: String,
}

impl Cluster {
    /// Starts `coxswain test-server`: `$COXSWAIN_COMMAND`, or coxswain on the PATH, or the one that npx finds.
    pub fn start() -> Result<Self> {
        Self::with_flags(&[])
    }

    /// With flags of `coxswain test-server`, such as `--nodes=3` or `--seed=42`.
    pub fn with_flags(flags: &[&str]) -> Result<Self> {
        let server = Server::start(flags)?;
        let config: Value = serde_json::from_slice(&std::fs::read(server.kubeconfig())?)?;
        let cluster = &config["clusters"][0]["cluster"];
        let authority = BASE64_STANDARD.decode(text(&cluster["certificate-authority-data"])?)?;
        let roots = RootCerts::new_with_certs(&[Certificate::from_pem(&authority)?]);
        let agent = Agent::config_builder()
            // The server is on this machine, whatever proxy there may be.
            .proxy(None)
            .http_status_as_error(false)
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .build()
            .into();
        let address = text(&cluster["server"])?.to_owned();
        let token = text(&config["users"][0]["user"]["token"])?.to_owned();
        Ok(Self {
            server,
            agent,
            address,
            token,
        })
    }

    /// A file for any client, such as `kube::Config::from_custom_kubeconfig`.
    pub fn kubeconfig(&self) -> &Path {
        self.server.kubeconfig()
    }

    /// Asks the Kubernetes API: `cluster.request("GET", "/api/v1/nodes", "")`.
    pub fn request(&self, method: &str, path: &str, body: impl Into<String>) -> Result<Value> {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.address))
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
            .body(body.into())?;
        let mut answer = self.agent.run(request)?;
        let said = answer
            .body_mut()
            .with_config()
            .limit(ANSWER_BYTES_MAX)
            .read_to_string()?;
        let value = serde_json::from_str(&said).unwrap_or_else(|_| json!({ "message": said }));
        if answer.status().is_success() {
            return Ok(value);
        }
        let message = value["message"].as_str().unwrap_or_default();
        Err(format!("{method} {path}: {} {message}", answer.status().as_u16()).into())
    }

    pub fn get(&self, path: &str) -> Result<Value> {
        self.request("GET", path, "")
    }

    /// Asks the server for what is below `/coxswain/v1/`; see openapi.yaml.
    pub fn call(&self, method: &str, path: &str, body: impl Into<String>) -> Result<Value> {
        self.request(method, &format!("/coxswain/v1/{path}"), body)
    }

    /// Applies manifests, as YAML or JSON.
    pub fn apply(&self, manifests: impl Into<String>) -> Result<Value> {
        self.call("POST", "apply", manifests)
    }

    /// Waits until controllers, scheduler and nodes have nothing left to do.
    pub fn idle(&self) -> Result<()> {
        self.call("POST", "idle", "").map(drop)
    }

    /// Moves the clock, by `90s` or `2h`, and fires every timer up to then.
    pub fn advance(&self, by: &str) -> Result<()> {
        self.call("POST", "clock/advance", json!({ "by": by }).to_string())
            .map(drop)
    }

    /// Costs nothing; for [`Cluster::reset_to`].
    pub fn snapshot(&self) -> Result<String> {
        Ok(text(&self.call("POST", "snapshots", "")?["id"])?.to_owned())
    }

    /// Restores the initial state.
    pub fn reset(&self) -> Result<()> {
        self.call("POST", "reset", "").map(drop)
    }

    pub fn reset_to(&self, snapshot: &str) -> Result<()> {
        self.call("POST", "reset", json!({ "snapshot": snapshot }).to_string())
            .map(drop)
    }

    /// Adds a rule by which requests go wrong: `json!({ "action": "error", "verb": "create", "resource": "pods" })`.
    pub fn add_fault(&self, rule: &Value) -> Result<Fault<'_>> {
        let id = text(&self.call("POST", "faults", rule.to_string())?["id"])?.to_owned();
        Ok(Fault { cluster: self, id })
    }

    /// Lets a simulated node be lost, as in a power failure.
    pub fn fail_node(&self, name: &str) -> Result<()> {
        self.call("POST", &format!("nodes/{name}/fail"), "")
            .map(drop)
    }

    pub fn recover_node(&self, name: &str) -> Result<()> {
        self.call("POST", &format!("nodes/{name}/recover"), "")
            .map(drop)
    }
}

/// Many times what a list of a test has.
const ANSWER_BYTES_MAX: u64 = 256 * 1024 * 1024;

pub struct Fault<'a> {
    cluster: &'a Cluster,
    id: String,
}

impl Fault<'_> {
    /// Answers with how often it was applied.
    pub fn remove(self) -> Result<u64> {
        let removed = self
            .cluster
            .call("DELETE", &format!("faults/{}", self.id), "")?;
        Ok(removed["count"].as_u64().unwrap_or_default())
    }
}

fn text(value: &Value) -> Result<&str> {
    value
        .as_str()
        .ok_or_else(|| format!("expected text, got {value}").into())
}
