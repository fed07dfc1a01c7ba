/** The oracle's recorded cases, each request of them asked otherwise: for what nobody wrote a case yet. */
import {
  areaNames as recordedAreaNames,
  loadArea,
  playableInProcess,
  type Step,
} from '../../../packages/kube-apiserver/test/oracle/case.ts';
import type { DifferentialCase } from './case.ts';

/** How a request is asked otherwise; undefined leaves it as it is. */
type Variation = (step: Step, parts: RequestParts) => Partial<Step> | undefined;

interface RequestParts {
  readonly method: string;
  readonly path: string;
}

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadataOnly = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const metadataListOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const changes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const bodies = new Set(['POST', 'PUT', 'PATCH']);

const withQuery = ({ method, path }: RequestParts, query: string): Partial<Step> => ({
  req: `${method} ${path}${path.includes('?') ? '&' : '?'}${query}`,
});

/** Steps that prepare (quiet ones) stay, so that there is something to ask about. */
const asked =
  (variation: Variation, methods?: ReadonlySet<string>): Variation =>
  (step, parts) =>
    step.quiet || step.retry || (methods !== undefined && !methods.has(parts.method))
      ? undefined
      : variation(step, parts);

const patchesAs = (from: string, to: string): Variation =>
  asked((step) => (step.type === `application/${from}` ? { type: `application/${to}` } : undefined));

export const variations: Readonly<Record<string, Variation>> = {
  /** As recorded, for another encoding (`--protobuf`). */
  none: asked(() => ({})),
  /** The text of JSON: order of keys, spaces, escapes. */
  text: asked(({ accept, watch }) => (accept === undefined && !watch ? { raw: true } : undefined)),
  pretty: asked((step, parts) =>
    step.accept === undefined && !step.watch ? { ...withQuery(parts, 'pretty=true'), raw: true } : undefined,
  ),
  yaml: asked(({ watch }) => (watch ? undefined : { accept: 'application/yaml' })),
  table: asked(() => ({ accept: table })),
  metadata: asked(() => ({ accept: metadataOnly })),
  'metadata-list': asked(() => ({ accept: metadataListOnly })),
  protobuf: asked(() => ({ accept: 'application/vnd.kubernetes.protobuf' })),
  'dry-run': asked((_step, parts) => withQuery(parts, 'dryRun=All'), changes),
  strict: asked((_step, parts) => withQuery(parts, 'fieldValidation=Strict'), bodies),
  ignore: asked((_step, parts) => withQuery(parts, 'fieldValidation=Ignore'), bodies),
  manager: asked((_step, parts) => withQuery(parts, 'fieldManager=someone'), changes),
  alice: asked((step) => (step.as || step.impersonate ? undefined : { as: 'alice' })),
  anonymous: asked((step) => (step.as || step.impersonate ? undefined : { as: 'anonymous' })),
  'merge-as-strategic': patchesAs('merge-patch+json', 'strategic-merge-patch+json'),
  'strategic-as-merge': patchesAs('strategic-merge-patch+json', 'merge-patch+json'),
  'strategic-as-apply': patchesAs('strategic-merge-patch+json', 'apply-patch+yaml'),
  'apply-as-merge': patchesAs('apply-patch+yaml', 'merge-patch+json'),
  'apply-as-strategic': patchesAs('apply-patch+yaml', 'strategic-merge-patch+json'),
  'json-as-merge': patchesAs('json-patch+json', 'merge-patch+json'),
  /** Objects that are created or replaced are applied or merged onto what is there. */
  'put-as-merge': asked(
    (_step, { path }) => ({ req: `PATCH ${path}`, type: 'application/merge-patch+json' }),
    new Set(['PUT']),
  ),
  'put-as-strategic': asked(
    (_step, { path }) => ({ req: `PATCH ${path}`, type: 'application/strategic-merge-patch+json' }),
    new Set(['PUT']),
  ),
  'put-as-apply': asked(
    (_step, { path }) => ({
      req: `PATCH ${path}${path.includes('?') ? '&' : '?'}fieldManager=someone&force=true`,
      type: 'application/apply-patch+yaml',
    }),
    new Set(['PUT']),
  ),
  'post-as-apply': asked(
    (step, { path }) => {
      const name = (step.body as { metadata?: { name?: unknown } } | undefined)?.metadata?.name;
      if (typeof name !== 'string') return undefined;
      const [place, query = ''] = path.split('?');
      return {
        req: `PATCH ${place}/${name}?${query}&fieldManager=someone`,
        type: 'application/apply-patch+yaml',
      };
    },
    new Set(['POST']),
  ),
  'post-as-put': asked(
    (step, { path }) => {
      const name = (step.body as { metadata?: { name?: unknown } } | undefined)?.metadata?.name;
      if (typeof name !== 'string') return undefined;
      const [place, query] = path.split('?');
      return { req: `PUT ${place}/${name}${query === undefined ? '' : `?${query}`}` };
    },
    new Set(['POST']),
  ),
};

/** The cases of all areas (or one) that need no flags of their own, varied; cases that nothing changes in are left out. */
export function variedCases(name: string, only: readonly string[]): Map<string, DifferentialCase[]> {
  const variation = variations[name];
  if (variation === undefined)
    throw new Error(`no variation ${name}; there are ${Object.keys(variations).join(', ')}`);
  const areas = recordedAreaNames()
    .filter((area) => only.length === 0 || only.includes(area))
    .map(loadArea)
    .filter(({ server }) => Object.keys(server).length === 0);
  return new Map(
    areas.map(({ area, cases }) => [
      area,
      cases.filter(playableInProcess).flatMap((one) => {
        const steps = one.steps.map((step) => varied(step, variation));
        return steps.some((step, at) => step !== one.steps[at]) ? [{ ...one, steps }] : [];
      }),
    ]),
  );
}

function varied(step: Step, variation: Variation): Step {
  const [, method, path] = /^(\S+)\s+(.*)$/.exec(step.req ?? '') ?? [];
  const during = step.during?.map((inner) => varied(inner, variation));
  const changed = method === undefined ? undefined : variation(step, { method, path: path! });
  return changed === undefined && during === undefined
    ? step
    : { ...step, ...changed, ...(during && { during }) };
}
