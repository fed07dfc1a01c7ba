/** Discovers the sockets of plugins in a directory, asks each for its type, and passes it to the handler for that type. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { grpcClient } from '@coxswain/grpc/client/client.ts';
import { registrationMethods } from './registration-messages.ts';

export interface RegisteredPlugin {
  readonly name: string;
  /** The plugin's own socket, which often differs from the registration socket. */
  readonly endpoint: string;
  readonly versions: readonly string[];
}

export interface PluginHandler {
  /** @throws Error with the reason why the plugin isn't accepted */
  validate(plugin: RegisteredPlugin): void;
  /** @throws Error with the reason why it can't be used now; registration is retried */
  register(plugin: RegisteredPlugin): Promise<void>;
  deregister(plugin: RegisteredPlugin): Promise<void>;
}

export interface PluginWatcherOptions {
  /** `/var/lib/kubelet/plugins_registry` */
  readonly directory: string;
  /** By type, such as `CSIPlugin`. */
  readonly handlers: Readonly<Record<string, PluginHandler>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

interface KnownSocket {
  /** Distinguishes a socket from an earlier one at the same path. */
  readonly identity: string;
  readonly handler: PluginHandler | undefined;
  readonly plugin: RegisteredPlugin | undefined;
  readonly failures: number;
  readonly retryMs: number;
}

/** The polling interval, in case the kernel does not report changes. */
const pollEveryMs = 10_000;
/** A plugin creates its socket before it listens. */
const settleMs = 50;
const retryMsMin = 500;
const retryMsMax = 122_000;
const callMsMax = 5_000;
/** Limits the search in nested directories. */
const depthMax = 8;

export class PluginWatcher {
  readonly #options: PluginWatcherOptions;
  readonly #sockets = new Map<string, KnownSocket>();
  #watcher: FSWatcher | undefined;
  #work: Promise<void> = Promise.resolve();
  #next: { readonly atMs: number; cancel(): void } | undefined;

  constructor(options: PluginWatcherOptions) {
    this.#options = options;
  }

  /** Resolves when the existing plugins have been queried. */
  async start(): Promise<void> {
    const { directory, signal } = this.#options;
    try {
      this.#watcher = watch(directory, { recursive: true, persistent: false }, () => this.#lookIn(settleMs));
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Polling still finds everything, only later.
    }
    signal.addEventListener('abort', () => this.#stop(), { once: true });
    await this.look();
  }

  /** Compares the directory with the known plugins; resolves when all new ones have been queried. */
  look(): Promise<void> {
    this.#work = this.#work.then(() => this.#reconcile()).catch(this.#options.onError);
    return this.#work;
  }

  #stop(): void {
    this.#watcher?.close();
    this.#next?.cancel();
  }

  #lookIn(delayMs: number): void {
    const { clock, signal } = this.#options;
    if (signal.aborted) return;
    const atMs = clock.monotonic() + delayMs;
    if (this.#next !== undefined && this.#next.atMs <= atMs) return;
    this.#next?.cancel();
    const timer = clock.after(
      delayMs,
      () => {
        this.#next = undefined;
        detach(this.look());
      },
      { idle: true },
    );
    this.#next = { atMs, cancel: () => timer.cancel() };
  }

  async #reconcile(): Promise<void> {
    const { directory, clock, signal } = this.#options;
    const found = await socketsBelow(directory, depthMax);
    for (const [socketPath, known] of this.#sockets)
      if (found.get(socketPath) !== known.identity) await this.#forget(socketPath, known);
    let nextMs = pollEveryMs;
    for (const [socketPath, identity] of found) {
      if (signal.aborted) return;
      const known = this.#sockets.get(socketPath);
      if (known?.plugin !== undefined) continue;
      const waitMs = (known?.retryMs ?? 0) - clock.monotonic();
      if (waitMs <= 0) await this.#register(socketPath, identity, known?.failures ?? 0);
      const { retryMs = 0, plugin } = this.#sockets.get(socketPath) ?? {};
      if (plugin === undefined) nextMs = Math.min(nextMs, Math.max(1, retryMs - clock.monotonic()));
    }
    this.#lookIn(nextMs);
  }

  async #forget(socketPath: string, { handler, plugin }: KnownSocket): Promise<void> {
    this.#sockets.delete(socketPath);
    if (handler === undefined || plugin === undefined) return;
    await handler.deregister(plugin).catch(this.#options.onError);
  }

  async #register(socketPath: string, identity: string, failures: number): Promise<void> {
    const { clock, onError } = this.#options;
    const client = grpcClient(registrationMethods, {
      endpoints: [`unix://${socketPath}`],
      service: 'plugin registration',
      clock,
      timeoutMs: callMsMax,
    });
    try {
      const found = await client.getInfo({}, { timeoutMs: 1_000 }).catch((error: unknown) => {
        throw new Error(
          `failed to get plugin info using RPC GetInfo at socket ${socketPath}: ${messageOf(error)}`,
        );
      });
      const plugin = {
        name: found.name,
        endpoint: found.endpoint || socketPath,
        versions: found.supportedVersions,
      };
      const report = (error: string) =>
        client.notifyRegistrationStatus({ pluginRegistered: error === '', error });
      const handler = await this.#take(found.type, plugin, socketPath).catch(async (error: unknown) => {
        await report(messageOf(error));
        throw error;
      });
      await report('').catch(async (error: unknown) => {
        await handler.deregister(plugin);
        throw error;
      });
      this.#sockets.set(socketPath, { identity, handler, plugin, failures: 0, retryMs: 0 });
    } catch (error) {
      onError(new Error(`RegisterPlugin error -- ${messageOf(error)}`));
      const waitMs = Math.min(retryMsMin * 2 ** failures, retryMsMax);
      this.#sockets.set(socketPath, {
        identity,
        handler: undefined,
        plugin: undefined,
        failures: failures + 1,
        retryMs: clock.monotonic() + waitMs,
      });
    } finally {
      client.close();
    }
  }

  async #take(type: string, plugin: RegisteredPlugin, socketPath: string): Promise<PluginHandler> {
    const { handlers } = this.#options;
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    if (handler === undefined)
      throw new Error(
        `RegisterPlugin error -- no handler registered for plugin type: ${type} at socket ${socketPath}`,
      );
    try {
      handler.validate(plugin);
    } catch (error) {
      throw new Error(`RegisterPlugin error -- plugin validation failed with err: ${messageOf(error)}`, {
        cause: error,
      });
    }
    try {
      await handler.register(plugin);
    } catch (error) {
      throw new Error(`RegisterPlugin error -- plugin registration failed with err: ${messageOf(error)}`, {
        cause: error,
      });
    }
    return handler;
  }
}

/** Maps paths to what distinguishes successive sockets at the same path. Names that start with a dot are ignored. */
async function socketsBelow(directory: string, depth: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(directory).catch(() => [])) {
    if (name.startsWith('.')) continue;
    const place = path.join(directory, name);
    const info = await stat(place).catch(() => undefined);
    if (info?.isSocket()) found.set(place, `${info.ino}/${info.ctimeMs}`);
    else if (info?.isDirectory() && depth > 0)
      for (const each of await socketsBelow(place, depth - 1)) found.set(...each);
  }
  return found;
}
