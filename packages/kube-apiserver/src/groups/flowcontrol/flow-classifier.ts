/**
 * Tells of each request the flow schema that it belongs to, and the priority level: the first by precedence,
 * then by name, whose level is there.
 */
import type { FlowSchema } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { FlowClass } from '@coxswain/apiserver/filters/limit-fairly.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { RequestInfo } from '@coxswain/apiserver/request-info.ts';
import type { UserInfo } from '@coxswain/apiserver/user.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { StoreFollower } from '../../follow-store.ts';
import { as } from '../resource.ts';
import { belongsTo } from './flow-rules.ts';

export class FlowClassifier {
  readonly #follower: StoreFollower;
  readonly #schemas = new Map<string, FlowSchema>();
  readonly #levelUids = new Map<string, string>();
  /** In the order in which they are tried; made again after a change. */
  #inOrder: readonly FlowSchema[] | undefined;

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
        },
        remove: (_namespace, name) => {
          this.#schemas.delete(name);
          this.#inOrder = undefined;
        },
      }),
      this.#follower.follow(levels, {
        put: ({ metadata }) => void this.#levelUids.set(metadata.name!, metadata.uid!),
        remove: (_namespace, name) => void this.#levelUids.delete(name),
      }),
    ]);
  }

  stop(): void {
    this.#follower.stop();
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
