/** Credentials from a program (client.authentication.k8s.io ExecCredential). */

import { spawn } from 'node:child_process';
import { epochMsOf } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';
import type { ClientCertificate } from './credentials.ts';
import type { ExecConfig, KubeconfigCluster } from './kubeconfig.ts';

export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: ClientCertificate;
  /** Milliseconds since the epoch; absent: until it is refused. */
  readonly expiresMs?: number;
}

const supportedVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
/** What the program may print. */
const outputBytesMax = 1024 * 1024;

export class ExecCredentials {
  readonly #config: ExecConfig;
  readonly #cluster: KubeconfigCluster;
  readonly #clock: Clock;
  #known: Promise<ExecCredential> | undefined;
  #expiresMs = Infinity;

  constructor(config: ExecConfig, cluster: KubeconfigCluster, clock: Clock) {
    if (!config.command)
      throw new Error('invalid configuration: command must be specified to use exec authentication plugin');
    if (!supportedVersions.includes(config.apiVersion ?? '')) {
      throw new Error(`exec plugin: invalid apiVersion "${config.apiVersion ?? ''}"`);
    }
    this.#config = config;
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /** Remembered until it expires or was refused. */
  get(refresh = false): Promise<ExecCredential> {
    if (this.#known === undefined || refresh || this.#clock.now() >= this.#expiresMs) {
      const running = this.#run();
      this.#known = running;
      this.#expiresMs = Infinity;
      running.then(
        (credential) => (this.#expiresMs = credential.expiresMs ?? Infinity),
        () => this.#known === running && (this.#known = undefined),
      );
    }
    return this.#known;
  }

  async #run(): Promise<ExecCredential> {
    const { command = '', args, env, apiVersion, installHint, interactiveMode } = this.#config;
    const interactive = interactiveMode !== 'Never' && process.stdin.isTTY === true;
    const spec = {
      interactive,
      ...(this.#config.provideClusterInfo ? { cluster: this.#clusterInfo() } : {}),
    };
    const environment = {
      ...process.env,
      ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion, kind: 'ExecCredential', spec }),
    };
    const output = await run(command, args ?? [], environment, interactive, installHint);
    return this.#parse(output);
  }

  #clusterInfo(): Record<string, unknown> {
    const { server, 'tls-server-name': name, 'insecure-skip-tls-verify': insecure } = this.#cluster;
    return {
      server,
      ...(name ? { 'tls-server-name': name } : {}),
      ...(insecure ? { 'insecure-skip-tls-verify': true } : {}),
      ...(this.#cluster['certificate-authority-data']
        ? { 'certificate-authority-data': this.#cluster['certificate-authority-data'] }
        : {}),
      config: null,
    };
  }

  #parse(output: string): ExecCredential {
    let answer: { apiVersion?: string; kind?: string; status?: ExecStatus };
    try {
      answer = JSON.parse(output) as typeof answer;
    } catch (error) {
      throw new Error(
        `decoding stdout: couldn't get version/kind; json parse error: ${(error as Error).message}`,
        {
          cause: error,
        },
      );
    }
    if (answer.apiVersion !== this.#config.apiVersion) {
      throw new Error(
        `exec plugin is configured to use API version ${this.#config.apiVersion}, plugin returned version ${answer.apiVersion}`,
      );
    }
    const { status } = answer;
    if (!status) throw new Error("exec plugin didn't return a status field");
    if (!status.token && !status.clientCertificateData && !status.clientKeyData) {
      throw new Error("exec plugin didn't return a token or cert/key pair");
    }
    if (!status.clientCertificateData !== !status.clientKeyData) {
      throw new Error('exec plugin returned only certificate or key, not both');
    }
    return {
      ...(status.token ? { token: status.token } : {}),
      ...(status.clientCertificateData && status.clientKeyData
        ? { certificate: { certificate: status.clientCertificateData, key: status.clientKeyData } }
        : {}),
      ...(status.expirationTimestamp ? { expiresMs: epochMsOf(status.expirationTimestamp) } : {}),
    };
  }
}

interface ExecStatus {
  token?: string;
  clientCertificateData?: string;
  clientKeyData?: string;
  expirationTimestamp?: string;
}

function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  interactive: boolean,
  installHint: string | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > outputBytesMax) child.kill();
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT';
      const hint = missing && installHint ? `\n\n${installHint}` : '';
      reject(
        new Error(`exec: executable ${command} ${missing ? 'not found' : `failed: ${error.message}`}${hint}`),
      );
    });
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`exec: executable ${command} failed with exit code ${code ?? 1}`));
    });
  });
}
