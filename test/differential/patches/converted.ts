/** The widgets of `custom.ts` again, but with other names in each version, and a webhook that knows them. */
import { openHooks, type HookServer } from '../webhooks/hook-server.ts';
import { hookCertificate } from '../certificate.ts';
import { raw } from '../webhooks/answers.ts';
import { widgetDonors, widgetSchema } from './custom.ts';
import { isObject, type JsonObject } from './fragment.ts';
import type { Subject } from './step.ts';

/** What v1 calls so is called otherwise: in `spec` and wherever it is in it. */
const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  v1: {},
  v2: { count: 'amount', byName: 'entries', note: 'remark', map: 'pairs', deep: 'nested', set: 'members' },
};

/** Values that are no objects of the schema keep their names. */
const opaque = new Set(['free', 'map', 'pairs', 'atomicMap']);

function renamed(value: unknown, name: (given: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      name(member),
      opaque.has(member) ? inner : renamed(inner, name),
    ]),
  );
}

function naming(from: string, to: string): (given: string) => string {
  const back = new Map(Object.entries(names[from]!).map(([first, now]) => [now, first]));
  return (given) => {
    const first = back.get(given) ?? given;
    return names[to]![first] ?? first;
  };
}

const versionIn = (apiVersion: unknown): string => String(apiVersion).split('/')[1] ?? 'v1';

export function gadgetIn(object: JsonObject, apiVersion: string): JsonObject {
  const [from, to] = [versionIn(object['apiVersion']), versionIn(apiVersion)];
  if (names[from] === undefined || names[to] === undefined) return { ...object, apiVersion };
  return {
    ...object,
    apiVersion,
    ...('spec' in object && { spec: renamed(object['spec'], naming(from, to)) }),
  };
}

interface Review {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
}

const converting = raw((given) => {
  const { apiVersion, request } = given as unknown as Review;
  return JSON.stringify({
    apiVersion,
    kind: 'ConversionReview',
    response: {
      uid: request.uid,
      result: { status: 'Success' },
      convertedObjects: request.objects.map((object) => gadgetIn(object, request.desiredAPIVersion)),
    },
  });
});

export interface Gadgets {
  readonly subject: Subject;
  readonly definition: JsonObject;
  readonly crd: string;
  readonly hooks: HookServer;
}

/** The webhook runs until `hooks` is closed. */
export async function convertedGadgets(namespace: string): Promise<Gadgets> {
  const group = `gadgets-${namespace}.example.com`;
  const crd = `gadgets.${group}`;
  const tls = hookCertificate();
  const hooks = await openHooks(tls, new Map([['gadgets', converting]]), false);
  const versions = Object.keys(names);
  const { properties, ...schema } = widgetSchema as { properties: { spec: JsonObject } };
  return {
    hooks,
    crd,
    subject: {
      collections: Object.fromEntries(
        versions.map((version) => [
          `${group}/${version}`,
          `/apis/${group}/${version}/namespaces/${namespace}/gadgets`,
        ]),
      ),
      name: 'gadgets',
      kind: 'Gadget',
      donors: widgetDonors.map((donor) => ({ ...donor, apiVersion: `${group}/v1` })),
      hasStatus: true,
      hasScale: false,
      isCustom: true,
      inVersion: gadgetIn,
    },
    definition: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: crd },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: {
              url: `${hooks.url}/both/gadgets`,
              caBundle: Buffer.from(tls.cert).toString('base64'),
            },
          },
        },
        versions: versions.map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              ...schema,
              properties: {
                ...properties,
                spec: renamed(properties.spec, naming('v1', name)) as JsonObject,
              },
            },
          },
        })),
      },
    },
  };
}
