/** Feeds the flow controller with the stored objects, and reports for each flow schema whether its level exists. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { semanticDeepEqual, type KubeObject } from '@coxswain/apimachinery';
import type { FlowSchema } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { PriorityLevelConfiguration } from '@coxswain/api/flowcontrol/v1/index.ts';
import type { FlowController } from '@coxswain/apiserver/flow-control/flow-controller.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { StoreFollower } from '../follow-store.ts';
import { as } from '../groups/any-object.ts';
import type { DanglingReferenceReporter } from './dangling-reference-reporter.ts';

export interface ConfigConsumerParts {
  readonly storage: Storage;
  readonly controller: FlowController;
  readonly reporter: DanglingReferenceReporter;
}

export class ConfigurationConsumer {
  readonly #parts: ConfigConsumerParts;
  readonly #follower: StoreFollower;
  readonly #schemas = new Map<string, FlowSchema>();
  readonly #levels = new Map<string, PriorityLevelConfiguration>();
  #usable: ReadonlySet<string> = new Set();
  #isStale = false;
  #isReporting = false;

  constructor(parts: ConfigConsumerParts) {
    this.#parts = parts;
    this.#follower = new StoreFollower(parts.storage);
  }

  /** Resolves when all stored objects are in effect. */
  async start(schemas: GenericStore, levels: GenericStore): Promise<void> {
    await Promise.all([
      this.#follower.follow(schemas, this.#target(this.#schemas)),
      this.#follower.follow(levels, this.#target(this.#levels)),
    ]);
    this.#digest();
  }

  /** Starts reporting whether each schema's level exists; resolves when the existing schemas are up to date. */
  async report(): Promise<void> {
    this.#isReporting = true;
    await Promise.all([...this.#schemas.values()].map((schema) => this.#report(schema)));
  }

  stop(): void {
    this.#isReporting = false;
    this.#follower.stop();
  }

  #target<T extends FlowSchema | PriorityLevelConfiguration>(kept: Map<string, T>) {
    return {
      put: (object: KubeObject) => {
        const next = as<T>(object);
        const name = object.metadata.name!;
        const before = kept.get(name);
        kept.set(name, next);
        if (before?.metadata.uid !== next.metadata.uid || !semanticDeepEqual(before?.spec, next.spec)) {
          this.#digestSoon();
        } else if (kept === (this.#schemas as Map<string, unknown>)) {
          // Another client may have changed the condition.
          detach(this.#report(next as FlowSchema));
        }
      },
      remove: (_namespace: string, name: string) => {
        kept.delete(name);
        this.#digestSoon();
      },
    };
  }

  /** Objects written in one batch are digested once, before the first of their writers gets a response. */
  #digestSoon(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => this.#digest());
  }

  #digest(): void {
    this.#isStale = false;
    this.#usable = this.#parts.controller.digest([...this.#levels.values()], [...this.#schemas.values()]);
    for (const schema of this.#schemas.values()) detach(this.#report(schema));
  }

  async #report(schema: FlowSchema): Promise<void> {
    if (!this.#isReporting) return;
    await this.#parts.reporter.report(schema.metadata.name!, () => {
      const newest = this.#schemas.get(schema.metadata.name!);
      if (newest === undefined) return undefined;
      return { schema: newest, levelExists: this.#usable.has(newest.spec.priorityLevelConfiguration.name) };
    });
  }
}
