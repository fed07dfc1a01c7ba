/** Applies the namespace's default requests and limits to containers, and enforces its bounds on pods and claims. */
import { aggregateText } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { LimitRange } from '@coxswain/api/core/v1/limit-range.ts';
import type { LimitRangeItem } from '@coxswain/api/core/v1/limit-range-spec.ts';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isTo, objectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';
import { podTotals, totalsOf, type Totals } from '@coxswain/api/core/v1/pod/pod-totals.ts';
import { boundErrors, claimBoundErrors } from './limit-range-bounds.ts';

const annotation = 'kubernetes.io/limit-ranger';

export const limitRanger = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'LimitRanger',
  resources: [resources.pods, resources.persistentVolumeClaims],
  handles: on('CREATE', 'UPDATE'),
  concerns,
  async mutate(attributes) {
    if (attributes.resource.resource !== 'pods') return;
    for (const range of await rangesOf(attributes, objects)) setDefaults(objectOf<Pod>(attributes), range);
  },
  async validate(attributes) {
    for (const range of await rangesOf(attributes, objects)) {
      const errors =
        attributes.resource.resource === 'pods'
          ? podErrors(objectOf<Pod>(attributes), range)
          : claimErrors(objectOf<PersistentVolumeClaim>(attributes), range);
      if (errors.length > 0) throw refused(attributes, aggregateText(errors));
    }
  },
});

/** New pods, resizes of pods, and claims; not objects that are being deleted. */
function concerns(attributes: AdmissionAttributes): boolean {
  if (attributes.oldObject?.metadata.deletionTimestamp !== undefined) return false;
  const { operation } = attributes;
  return (
    (operation === 'UPDATE' && isTo(attributes, resources.pods, 'resize')) ||
    (operation === 'CREATE' && isTo(attributes, resources.pods)) ||
    isTo(attributes, resources.persistentVolumeClaims)
  );
}

const rangesOf = ({ namespace }: AdmissionAttributes, objects: ObjectReader) =>
  objects.list<LimitRange>(resources.limitRanges, namespace);

const limitsOf = ({ spec }: LimitRange): readonly LimitRangeItem[] => spec.limits ?? [];

function setDefaults(pod: Pod, range: LimitRange): void {
  const ofContainers = limitsOf(range).filter(({ type }) => type === 'Container');
  const requests = Object.assign({}, ...ofContainers.map((limit) => limit.defaultRequest)) as Record<
    string,
    string
  >;
  const limits = Object.assign({}, ...ofContainers.map((limit) => limit.default)) as Record<string, string>;
  const notes = [
    ...(pod.spec.containers ?? []).flatMap((container) => fill(container, requests, limits, 'container')),
    ...(pod.spec.initContainers ?? []).flatMap((container) =>
      fill(container, requests, limits, 'init container'),
    ),
  ];
  if (notes.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
}

type Container = Pod['spec']['containers'][number];
type Amounts = Readonly<Record<string, string>>;

function fill(container: Container, requests: Amounts, limits: Amounts, what: string): string[] {
  const own = container.resources;
  const newRequests = Object.keys(requests).filter((name) => own?.requests?.[name] === undefined);
  const newLimits = Object.keys(limits).filter((name) => own?.limits?.[name] === undefined);
  if (newRequests.length === 0 && newLimits.length === 0) return [];
  container.resources = {
    ...own,
    ...(newLimits.length > 0 ? { limits: { ...limits, ...own?.limits } } : {}),
    ...(newRequests.length > 0 ? { requests: { ...requests, ...own?.requests } } : {}),
  };
  const note = (names: readonly string[], kind: string) =>
    names.length === 0 ? [] : [`${names.toSorted().join(', ')} ${kind} for ${what} ${container.name}`];
  return [...note(newRequests, 'request'), ...note(newLimits, 'limit')];
}

function podErrors(pod: Pod, range: LimitRange): string[] {
  const { containers = [], initContainers = [] } = pod.spec;
  return limitsOf(range).flatMap((limit) => {
    if (limit.type === 'Container') {
      return [...containers, ...initContainers].flatMap((one) =>
        boundErrors(limit, totalsOf(one.resources?.requests), totalsOf(one.resources?.limits)),
      );
    }
    return limit.type === 'Pod' ? boundErrors(limit, totals(pod, 'requests'), totals(pod, 'limits')) : [];
  });
}

const totals = (pod: Pod, which: 'requests' | 'limits'): Totals =>
  podTotals(pod, which, { withOverhead: false });

const claimErrors = ({ spec }: PersistentVolumeClaim, range: LimitRange): string[] =>
  limitsOf(range)
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((limit) => claimBoundErrors(limit, totalsOf(spec.resources?.requests)));
