/** A server that is put together begins to serve, and ends. */
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import type { TurnWatch } from '@coxswain/apiserver/flow-control/turn-watch.ts';
import type { ServerLifecycle } from '@coxswain/apiserver/lifecycle/server-lifecycle.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { Authorization } from './authorization.ts';
import type { CompletedOptions } from './completed-options.ts';
import { nothingListens, type ListenerOnPort } from '../loopback.ts';
import type { ServerState } from './server-state.ts';

export interface StartAndStop {
  /**
   * Bootstraps the store and runs the hooks; resolves when the server is ready for clients. `listen` opens the
   * transports, if any, and returns the port for clients.
   */
  start(listen?: () => Promise<ListenerOnPort>): Promise<void>;
  /** In upstream's order: readiness fails, delay, listener closed, requests drained, audit flushed, store closed. */
  stop(): Promise<void>;
}

interface Stoppable {
  stop(): void;
}

export interface RunningParts {
  readonly life: ServerLifecycle;
  readonly hooks: Stoppable;
  readonly authentication: Stoppable;
  readonly authorization: Authorization;
  readonly fairness: Stoppable;
  readonly servers: Stoppable;
  readonly webhooks: WebhookCaller;
  readonly turns?: TurnWatch | undefined;
}

export function startAndStop(
  options: CompletedOptions,
  { stores, loopback, storage }: ServerState,
  { life, hooks, authentication, authorization, fairness, servers, webhooks, turns }: RunningParts,
): StartAndStop {
  return {
    async start(listen = () => Promise.resolve(nothingListens)) {
      await life.start(async () => {
        const listener = await listen();
        loopback.listens(listener);
        return listener;
      });
      await authorization.caughtUp();
      if (turns !== undefined) whenFulfilled(Promise.resolve(options.processStarted), () => turns.begin());
    },
    async stop() {
      await life.stop();
      await options.workers?.stop();
      storage.isOpen = false;
      for (const part of [hooks, authentication, authorization, fairness, servers]) part.stop();
      webhooks.close();
      for (const { main } of stores.all()) main.cache.close();
      await options.storage.close();
    },
  };
}
