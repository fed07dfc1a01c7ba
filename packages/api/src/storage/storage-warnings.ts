import { FieldPath, semanticDeepEqual } from '@coxswain/apimachinery';
import type { TopologySelectorTerm } from '../core/v1/topology-selector-term.ts';
import { labelWarnings, nodeSelectorWarnings } from '../core/v1/node/node-label-warnings.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import type { LabelSelector } from '../meta/v1/label-selector.ts';
import type { ValidationContext } from '@coxswain/schema';
import type { CSIDriverSpec } from './v1/csi-driver-spec.ts';

export const classWarnings = ({
  allowedTopologies,
}: {
  allowedTopologies?: TopologySelectorTerm[] | null;
}): string[] =>
  (allowedTopologies ?? []).flatMap(({ matchLabelExpressions = [] }, index) => {
    const path = FieldPath.of('allowedTopologies').index(index).child('matchLabelExpressions');
    const keys = matchLabelExpressions.map(({ key }) => key);
    return labelWarnings(keys, (_key, position) => path.index(position).child('key'));
  });

export const capacityWarnings = ({ nodeTopology }: { nodeTopology?: LabelSelector | null }): string[] =>
  nodeSelectorWarnings(nodeTopology, FieldPath.of('nodeTopology'));

type Driver = SpecObject<CSIDriverSpec>;

/** Only when token requests are set or changed. */
export function driverWarnings(
  { spec }: Driver,
  old: Driver | undefined,
  { enabled }: Pick<ValidationContext, 'enabled'>,
): string[] {
  if (!enabled('CSIServiceAccountTokenSecrets')) return [];
  const requests = spec.tokenRequests ?? [];
  if (requests.length === 0 || spec.serviceAccountTokenInSecrets != null) return [];
  if (old !== undefined && semanticDeepEqual(old.spec.tokenRequests, requests)) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}
