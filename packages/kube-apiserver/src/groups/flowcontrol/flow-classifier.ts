/**
 * Tells of each request the flow schema that it belongs to, and the priority level: the first by precedence,
 * then by name, whose level is there. Tells of each schema, too, whether its level is there.
 */
import type { FlowSchema } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { FlowClass } from '@coxswain/apiserver/filters/limit-fairly.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { RequestInfo } from '@coxswain/apiserver/request-info.ts';
import type { UserInfo } from '@coxswain/apiserver/user.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { StoreFollower } from '../../follow-store.ts';
import { as } from '../resource.ts';
import { tellDangling } from './dangling-condition.ts';
import type { ConditionParts } from './dangling-condition.ts';
import { belongsTo } from './flow-rules.ts';

export class FlowClassifier {
  readonly #follower: StoreFollower;
  readonly #schemas = new Map<string, FlowSchema>();
  readonly #levelUids = new Map<string, string>();
  /** In the order in which they are tried; made again after a change. */
  #inOrder: readonly FlowSchema[] | undefined;
  #conditions: ConditionParts | undefined;

  constructor(storage: Storage) {
    this.#follower = new StoreFollower(storage);
  }

  /** Resolves when all that is stored has been read. */
  async start(schemas: GenericStore, levels: GenericStore): Promise<void> {
    await Promise.all([
      this.#follower.follow(schemas, {
        put: (object) => {
          this.#schemas.set(object.metadata.name!, as<FlowSchema>(object));
          this.#inOrder = undefined;
          this.#tellLater([as<FlowSchema>(object)]);
        },
        remove: (_namespace, name) => {
          this.#schemas.delete(name);
          this.#inOrder = undefined;
        },
      }),
      this.#follower.follow(levels, {
        put: ({ metadata }) => {
          this.#levelUids.set(metadata.name!, metadata.uid!);
          this.#tellLater(this.#schemasOf(metadata.name!));
        },
        remove: (_namespace, name) => {
          this.#levelUids.delete(name);
          this.#tellLater(this.#schemasOf(name));
        },
      }),
    ]);
  }

  /** From now on every schema says whether its level exists; resolves when those that are there do. */
  async tellConditions(parts: ConditionParts): Promise<void> {
    this.#conditions = parts;
    await this.#tell([...this.#schemas.values()]);
  }

  stop(): void {
    this.#conditions = undefined;
    this.#follower.stop();
  }

  #schemasOf(level: string): FlowSchema[] {
    return [...this.#schemas.values()].filter(({ spec }) => spec.priorityLevelConfiguration.name === level);
  }

  /** After the write that is just being told of. */
  #tellLater(schemas: readonly FlowSchema[]): void {
    if (this.#conditions === undefined || schemas.length === 0) return;
    const { log } = this.#conditions;
    Promise.resolve()
      .then(() => this.#tell(schemas))
      .catch((failure: unknown) => log(`flow schemas: ${String(failure)}`));
  }

  async #tell(schemas: readonly FlowSchema[]): Promise<void> {
    const parts = this.#conditions;
    if (parts === undefined) return;
    await Promise.all(
      schemas.map((schema) =>
        tellDangling(parts, schema, this.#levelUids.has(schema.spec.priorityLevelConfiguration.name)),
      ),
    );
  }

  classOf(info: RequestInfo, user: UserInfo): FlowClass | undefined {
    this.#inOrder ??= [...this.#schemas.values()].toSorted(byPrecedence);
    for (const { metadata, spec } of this.#inOrder) {
      const levelUid = this.#levelUids.get(spec.priorityLevelConfiguration.name);
      if (levelUid !== undefined && belongsTo(spec, info, user)) {
        return { schemaUid: metadata.uid!, levelUid };
      }
    }
    return undefined;
  }
}

const byPrecedence = (one: FlowSchema, other: FlowSchema): number =>
  one.spec.matchingPrecedence - other.spec.matchingPrecedence ||
  (one.metadata.name! < other.metadata.name! ? -1 : 1);
