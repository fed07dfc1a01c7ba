/** What the server's own fairness controller says of a flow schema: its level exists, or does not. */
import { formatTime } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';
import type { FlowSchema } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import { applyCondition } from '../../bootstrap/apply-condition.ts';

export function danglingCondition(level: string, exists: boolean, at: string) {
  return {
    type: 'Dangling',
    status: exists ? 'False' : 'True',
    lastTransitionTime: at,
    reason: exists ? 'Found' : 'NotFound',
    message: exists
      ? `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} and it exists`
      : `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} but there is no such object`,
  };
}

export interface ConditionParts {
  /** As the server's own user. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Writes the condition where it isn't there, or says something else. */
export async function tellDangling(
  parts: ConditionParts,
  { metadata, spec, status }: FlowSchema,
  levelExists: boolean,
): Promise<void> {
  const level = spec.priorityLevelConfiguration.name;
  const condition = danglingCondition(level, levelExists, formatTime(parts.clock.now()));
  const told = status.conditions?.find(({ type }) => type === condition.type);
  if (told?.status === condition.status && told.message === condition.message) return;
  await applyCondition(parts, {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    resource: 'flowschemas',
    name: metadata.name!,
    manager: 'api-priority-and-fairness-config-consumer-v1',
    condition,
  });
}
