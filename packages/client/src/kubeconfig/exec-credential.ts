/** Credentials from a plugin (client.authentication.k8s.io ExecCredential). */

import { normalize } from 'node:path';
import type { Clock } from '@coxswain/apimachinery';
import { dataOrFile } from './data-or-file.ts';
import { execStatusIn } from './exec-answer.ts';
import type { ExecConfig, KubeconfigCluster } from './kubeconfig.ts';

/** @internal */
export interface ClientCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

/** @internal */
export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: ClientCertificate;
  /** In milliseconds since the epoch; if undefined, valid until refused. */
  readonly expiresMs?: number;
}

const supportedVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
/** The maximum length of the plugin's output, in characters. */
const outputLengthMax = 1024 * 1024;

/** @internal */
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

  /** Cached until it expires or was refused. */
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
    const { command = '', args, env, apiVersion, installHint } = this.#config;
    const interactive = isInteractive(this.#config);
    const cluster = this.#config.provideClusterInfo ? { cluster: clusterInfo(this.#cluster) } : {};
    const info = { kind: 'ExecCredential', apiVersion, spec: { ...cluster, interactive } };
    const environment = {
      ...process.env,
      ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: `${JSON.stringify(info)}\n`,
    };
    const output = await run(normalize(command), args ?? [], environment, interactive, installHint);
    return this.#parse(output);
  }

  async #parse(output: string): Promise<ExecCredential> {
    const { token, clientCertificateData, clientKeyData, expiresMs } = execStatusIn(
      output,
      this.#config.apiVersion!,
    );
    if (!token && !clientCertificateData && !clientKeyData) {
      throw new Error("exec plugin didn't return a token or cert/key pair");
    }
    if (!clientCertificateData !== !clientKeyData) {
      throw new Error('exec plugin returned only certificate or key, not both');
    }
    return {
      ...(token ? { token } : {}),
      ...(clientCertificateData && clientKeyData
        ? { certificate: await usable({ certificate: clientCertificateData, key: clientKeyData }) }
        : {}),
      ...(expiresMs === undefined ? {} : { expiresMs }),
    };
  }
}

/** @throws Error for a certificate and key that can't be used for a connection */
async function usable(pair: ClientCertificate): Promise<ClientCertificate> {
  const { keyPairProblem } = await import('./key-pair.ts');
  const problem = keyPairProblem(pair.certificate, pair.key);
  if (problem !== undefined) throw new Error(`failed parsing client key/certificate: ${problem}`);
  return pair;
}

/** @throws Error if the mode requires a terminal, and there is none or this program already reads from it */
function isInteractive({ interactiveMode, apiVersion = '' }: ExecConfig): boolean {
  const { isTTY: isTerminal = false, readableDidRead: isTaken } = process.stdin;
  const mode = interactiveMode || (apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : '');
  if (mode === 'Always' && !isTerminal) {
    throw new Error('exec plugin cannot support interactive mode: standard input is not a terminal');
  }
  if (mode === 'Always' && isTaken) {
    throw new Error(
      'exec plugin cannot support interactive mode: standard input is unavailable: used by stdin resource manifest reader',
    );
  }
  return mode !== 'Never' && isTerminal && !isTaken;
}

/** The cluster information passed to the plugin, with the kubeconfig's extension for it. */
function clusterInfo(cluster: KubeconfigCluster): Record<string, unknown> {
  const authority = dataOrFile(cluster['certificate-authority-data'], cluster['certificate-authority']);
  const config = (cluster.extensions ?? []).find(({ name }) => name === 'client.authentication.k8s.io/exec');
  return {
    server: cluster.server,
    ...(cluster['tls-server-name'] ? { 'tls-server-name': cluster['tls-server-name'] } : {}),
    ...(cluster['insecure-skip-tls-verify'] ? { 'insecure-skip-tls-verify': true } : {}),
    ...(authority ? { 'certificate-authority-data': Buffer.from(authority).toString('base64') } : {}),
    ...(cluster['proxy-url'] ? { 'proxy-url': cluster['proxy-url'] } : {}),
    ...(cluster['disable-compression'] ? { 'disable-compression': true } : {}),
    config: config?.extension ?? null,
  };
}

function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  interactive: boolean,
  installHint: string | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = process.getBuiltinModule('node:child_process').spawn(command, args, {
      env,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length <= outputLengthMax) return;
      reject(new Error(`exec: executable ${command} printed more than ${outputLengthMax} characters`));
      // It might otherwise continue for as long as its output is read, ignoring the request to end.
      child.stdout!.destroy();
      child.kill('SIGKILL');
    });
    child.on('error', (error: NodeJS.ErrnoException) => reject(notStarted(command, error, installHint)));
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      // Without an exit code, it was ended by a signal.
      else reject(new Error(`exec: executable ${command} failed with exit code ${code ?? -1}`));
    });
  });
}

const installHintText = `

It looks like you are trying to use a client-go credential plugin that is not installed.

To learn more about this feature, consult the documentation available at:
      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins`;

/** A bare name is looked up on PATH; a path is executed, and the system reports what is wrong. */
function notStarted(command: string, error: NodeJS.ErrnoException, installHint: string | undefined): Error {
  if (command.includes('/')) {
    const reason = error.code === 'EACCES' ? 'permission denied' : 'no such file or directory';
    return new Error(`exec: fork/exec ${command}: ${reason}`);
  }
  const hint = installHint ? `\n\n${installHint}` : '';
  return new Error(`exec: executable ${command} not found${installHintText}${hint}`);
}
