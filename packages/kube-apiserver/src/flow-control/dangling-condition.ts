/** The condition `Dangling` of a flow schema, by the server's own controller: whether its level is missing. */
import type { FlowSchema, FlowSchemaCondition } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';

/** @param at RFC 3339 */
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

/** Whether the schema already has the condition, whatever its time. */
export function isReported({ status }: FlowSchema, condition: FlowSchemaCondition): boolean {
  const reported = status?.conditions?.find(({ type }) => type === condition.type);
  return (
    reported?.status === condition.status &&
    reported?.reason === condition.reason &&
    reported?.message === condition.message
  );
}
