/** In resource.k8s.io/v1beta1 a claim's request has the fields of an exact request at its top level. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Conversion } from '@coxswain/apiserver';
import type { AnyObject } from '../any-object.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Members that stay at the top level in v1. */
const ownMembers: readonly string[] = ['name', 'firstAvailable'];

/** `mapClaim` applies a function to the requests inside an object of the kind. */
const conversionOf = (
  mapClaim: (object: AnyObject, map: (request: Fields) => Fields) => AnyObject,
): Conversion => ({
  toStorage: (object) => ({ ...mapClaim(object as AnyObject, nest), apiVersion: 'resource.k8s.io/v1' }),
  fromStorage: (object) => ({
    ...mapClaim(object as AnyObject, flatten),
    apiVersion: 'resource.k8s.io/v1beta1',
  }),
});

export const claimV1beta1 = conversionOf((claim, map) => ({
  ...claim,
  spec: mapSpec(claim.spec as Fields, map),
}));

export const claimTemplateV1beta1 = conversionOf((template, map) => {
  const spec = template.spec as Fields | undefined;
  return { ...template, spec: { ...spec, spec: mapSpec(spec?.spec as Fields, map) } };
});

export const deviceClassV1beta1: Conversion = {
  toStorage: (object: KubeObject) => ({ ...object, apiVersion: 'resource.k8s.io/v1' }),
  fromStorage: (object: KubeObject) => ({ ...object, apiVersion: 'resource.k8s.io/v1beta1' }),
};

function mapSpec(spec: Fields | undefined, map: (request: Fields) => Fields): Fields | undefined {
  const devices = spec?.devices as Fields | undefined;
  const requests = devices?.requests as readonly Fields[] | undefined;
  if (!requests) return spec;
  return { ...spec, devices: { ...devices, requests: requests.map(map) } };
}

/** A request without any field of an exact one has alternatives, or is invalid. */
function nest(request: Fields): Fields {
  const entries = Object.entries(request);
  const own = Object.fromEntries(entries.filter(([name]) => ownMembers.includes(name)));
  const exact = entries.filter(([name, value]) => !ownMembers.includes(name) && isSet(value));
  return exact.length === 0
    ? own
    : { ...own, exactly: { deviceClassName: '', ...Object.fromEntries(exact) } };
}

const isSet = (value: unknown): boolean =>
  value !== '' && value !== 0 && value !== undefined && value !== null;

function flatten({ exactly, ...own }: Fields): Fields {
  return { deviceClassName: '', ...(exactly as Fields | undefined), ...own };
}
