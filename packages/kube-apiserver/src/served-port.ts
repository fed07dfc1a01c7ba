/** The secure port of an API server: this thread accepts its connections, or threads of their own do. */
import type { Clock } from '@coxswain/apimachinery';
import type { ServeRequest } from '@coxswain/apiserver/http/secure-serving.ts';
import type { AssembledApiServer } from './assemble.ts';
import type { Forwarder } from './proxy/forwarder.ts';
import type { AssemblyOptions } from './server/options.ts';
import type { KubeApiServerSettings } from './settings.ts';
import type { ServingThreads } from './threads/serving-threads.ts';
import { openSecurePort, type OpenPort, type SecurePortSettings } from './serving/secure-port.ts';
import { tlsFiles, type TlsFiles, type TlsFileSettings } from './serving/tls-files.ts';

export interface ServedPortParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

export class ServedPort {
  readonly #settings: KubeApiServerSettings & SecurePortSettings;
  readonly #parts: ServedPortParts;
  readonly #files: TlsFiles;
  #open: OpenPort | undefined;
  #threads: ServingThreads | undefined;

  private constructor(
    settings: KubeApiServerSettings & SecurePortSettings,
    parts: ServedPortParts,
    files: TlsFiles,
  ) {
    this.#settings = settings;
    this.#parts = parts;
    this.#files = files;
  }

  /**
   * Reads keys and certificates, without listening yet; undefined for a server without a port.
   * @throws Error with a one-line message for a file that can't be used
   */
  static async prepare(
    settings: KubeApiServerSettings,
    parts: ServedPortParts,
  ): Promise<ServedPort | undefined> {
    const { securePort, bindAddress = bindAddressDefault } = settings;
    if (securePort === undefined) return undefined;
    const files = await tlsFiles(tlsFileSettings(settings), parts);
    return new ServedPort({ ...settings, securePort, bindAddress }, parts, files);
  }

  /** `https://127.0.0.1:6443`; undefined until the port is open. */
  get address(): string | undefined {
    return this.#open?.address;
  }

  /** The metrics of the threads that accept connections; undefined without such threads. */
  get threadMetrics(): AssemblyOptions['otherMetrics'] {
    if (this.#settings.servingThreads === undefined) return undefined;
    return {
      expositions: async () => (await this.#threads?.expositions()) ?? [],
      reset: async () => this.#threads?.resetMetrics(),
    };
  }

  /** @throws Error with a one-line message for a port that can't be listened on */
  async open(server: AssembledApiServer, forwarder: Forwarder): Promise<OpenPort> {
    this.#open = await (this.#settings.servingThreads === undefined
      ? this.#listen(server)
      : this.#startThreads(this.#settings.servingThreads, server, forwarder));
    return this.#open;
  }

  #listen(server: AssembledApiServer): Promise<OpenPort> {
    const serve: ServeRequest = (incoming) => server.served.serve(incoming);
    return openSecurePort(this.#settings, {
      ...this.#parts,
      files: this.#files,
      serve: this.#settings.mainThread?.beforeRequests(serve) ?? serve,
    });
  }

  async #startThreads(
    threads: NonNullable<KubeApiServerSettings['servingThreads']>,
    server: AssembledApiServer,
    forwarder: Forwarder,
  ): Promise<OpenPort> {
    const { ServingThreads: Threads } = await import('./threads/serving-threads.ts');
    const auditPolicy = this.#settings.audit?.policy;
    const parts = { ...this.#parts, server, forwarder, auditPolicy };
    return (this.#threads = await Threads.start(threads, this.#settings, parts));
  }

  /** Threads stop like servers of their own, before the one that they depend on. */
  stopThreads(): void {
    this.#threads?.stopListening();
  }
}

export const bindAddressDefault = '127.0.0.1';

const tlsFileSettings = (settings: KubeApiServerSettings): TlsFileSettings => ({
  ...settings,
  clientCaFiles: [
    settings.clientCaFile ?? '',
    settings.authenticationFlags?.requestHeader?.clientCaFile ?? '',
  ].filter((file) => file !== ''),
});
