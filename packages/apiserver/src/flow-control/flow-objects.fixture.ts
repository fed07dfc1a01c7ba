/** Flow schemas and priority levels as stored, for tests. */
import type { FlowSchema } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { PriorityLevelConfiguration } from '@coxswain/api/flowcontrol/v1/index.ts';
import type { LimitedPriorityLevelConfiguration } from '@coxswain/api/flowcontrol/v1/priority-level-configuration-spec.ts';
import { mandatoryPriorityLevelSpecs } from '@coxswain/api/flowcontrol/mandatory-specs.ts';

export interface LevelSettings {
  readonly shares?: number;
  readonly lendablePercent?: number;
  readonly borrowingPercent?: number;
  /** `[queues, hand size, queue length]`; without it requests that get no seat are refused. */
  readonly queuing?: readonly [number, number, number];
}

export const limitedLevel = (name: string, settings: LevelSettings = {}): PriorityLevelConfiguration =>
  level(name, { type: 'Limited', limited: limitedSpec(settings) });

export const exemptLevel = (): PriorityLevelConfiguration =>
  level('exempt', mandatoryPriorityLevelSpecs.get('exempt')!);

const level = (name: string, spec: PriorityLevelConfiguration['spec']): PriorityLevelConfiguration =>
  ({ metadata: { name, uid: `level-${name}` }, spec, status: {} }) as PriorityLevelConfiguration;

function limitedSpec(settings: LevelSettings): LimitedPriorityLevelConfiguration {
  const { shares = 30, lendablePercent = 0, borrowingPercent, queuing } = settings;
  const [queues, handSize, queueLengthLimit] = queuing ?? [];
  return {
    nominalConcurrencyShares: shares,
    lendablePercent,
    borrowingLimitPercent: borrowingPercent,
    limitResponse:
      queuing === undefined
        ? { type: 'Reject' }
        : {
            type: 'Queue',
            queuing: { queues: queues!, handSize: handSize!, queueLengthLimit: queueLengthLimit! },
          },
  };
}

export interface SchemaSettings {
  readonly precedence?: number;
  readonly distinguish?: 'ByUser' | 'ByNamespace';
  readonly groups?: readonly string[];
}

/** A schema for all requests of members of `groups`. */
export function schemaFor(name: string, levelName: string, settings: SchemaSettings = {}): FlowSchema {
  const { precedence = 1000, distinguish, groups = ['system:authenticated'] } = settings;
  return {
    metadata: { name, uid: `schema-${name}` },
    spec: {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence: precedence,
      distinguisherMethod: distinguish && { type: distinguish },
      rules: [
        {
          subjects: groups.map((group) => ({ kind: 'Group', group: { name: group } })),
          resourceRules: [
            { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
          ],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
    status: {},
  } as FlowSchema;
}
