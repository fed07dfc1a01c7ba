/** An API server in this process that reports for each object whether it would accept it. */
import type { KubeObject, Status } from '@coxswain/apimachinery';
import {
  discoveryClient,
  restMapper,
  warningTexts,
  type ApiResource,
  type RestMapper,
} from '@coxswain/client';
import { startCluster } from '../cluster/cluster.ts';
import { groupOf } from './manifest.ts';

export interface ValidationServerOptions {
  /** The default namespace. */
  readonly namespace: string;
  readonly runtimeConfig?: string;
  readonly featureGates?: readonly string[];
}

export interface Verdict {
  /** Empty for an accepted object; unknown fields form a separate refusal. */
  readonly refusals: readonly Status[];
  readonly warnings: readonly string[];
}

export interface ValidationServer {
  /** Creates the object. */
  create(object: KubeObject): Promise<Verdict>;
  /** Reports whether the object would be created, even if its name is taken. */
  judge(object: KubeObject): Promise<Verdict>;
  /** Undefined for a kind and version that isn't served. */
  resourceOf(object: KubeObject): ApiResource | undefined;
  /** Resolves when all of these kinds are served, or known not to be. */
  learnKinds(kinds: readonly KubeObject[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * These plugins depend on the state of a real cluster: on accounts that controllers create, and usage that they count.
 */
const disableAdmissionPlugins = ['ServiceAccount', 'ResourceQuota'];

/** Definitions take effect within milliseconds; those with refused names never do. */
const learningRoundsMax = 100;
const learningRoundMs = 10;

export async function startValidationServer(options: ValidationServerOptions): Promise<ValidationServer> {
  const { namespace: ofOthers, runtimeConfig, featureGates } = options;
  const cluster = await startCluster({
    controllers: [],
    nodes: 0,
    scheduler: false,
    disableAdmissionPlugins,
    ...(runtimeConfig !== undefined && { runtimeConfig }),
    ...(featureGates !== undefined && { featureGates }),
  });
  const transport = cluster.transport();
  const discovery = discoveryClient(cluster.client().rest);
  let mapper: RestMapper = restMapper(await discovery.discover());
  const namespaces = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

  const resourceOf = (object: KubeObject): ApiResource | undefined => findResource(mapper, object);

  const post = async (object: KubeObject, query: string, strictness = 'Strict'): Promise<Verdict> => {
    const resource = resourceOf(object);
    if (resource === undefined) throw new Error(`${object.apiVersion} ${object.kind} is not served`);
    const { namespaced, group, version, resource: plural } = resource;
    const namespace = (object.metadata as KubeObject['metadata'] | undefined)?.namespace || ofOthers;
    if (namespaced) await addNamespace(namespace);
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const place = namespaced ? `${root}/namespaces/${encodeURIComponent(namespace)}` : root;
    const answer = await transport.send({
      method: 'POST',
      path: `${place}/${plural}?fieldValidation=${strictness}${query}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(object)),
    });
    const warnings = warningTexts(answer.headers['warning']);
    if (answer.status < 400) return { refusals: [], warnings };
    const refusal = answer.object ?? JSON.parse(new TextDecoder().decode(await answer.bytes()));
    return { refusals: [refusal as Status], warnings };
  };

  /** Namespaces are created when first mentioned. For an invalid name, the objects in it get the error. */
  const addNamespace = async (name: string): Promise<void> => {
    if (namespaces.has(name)) return;
    namespaces.add(name);
    await post({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, '');
  };

  return {
    resourceOf,
    async create(object) {
      const verdict = await post(object, '');
      const name = object.metadata?.name;
      if (object.kind === 'Namespace' && groupOf(object) === '' && name !== undefined) namespaces.add(name);
      return verdict;
    },
    async judge(object) {
      const { refusals, warnings } = await post(object, '&dryRun=All');
      const strict = refusals.some(isStrict) ? await post(object, '&dryRun=All', 'Ignore') : undefined;
      return strict === undefined
        ? { warnings, refusals: refusals.filter(isOfContent) }
        : {
            warnings: strict.warnings,
            refusals: [...refusals, ...strict.refusals].filter(isOfContent),
          };
    },
    async learnKinds(kinds) {
      for (let round = 0; round < learningRoundsMax; round++) {
        if (kinds.every((kind) => resourceOf(kind) !== undefined)) return;
        discovery.invalidate();
        mapper = restMapper(await discovery.discover());
        if (kinds.every((kind) => resourceOf(kind) !== undefined)) return;
        await new Promise((resolve) => void setTimeout(resolve, learningRoundMs));
      }
    },
    stop: () => cluster.stop(),
  };
}

/** Such a refusal may hide others: unknown fields are reported before known ones are validated. */
const isStrict = ({ message = '' }: Status): boolean => message.includes('strict decoding error: ');

/** A name conflict says nothing about the object itself. */
const isOfContent = ({ reason }: Status): boolean => reason !== 'AlreadyExists';

function findResource(mapper: RestMapper, object: KubeObject): ApiResource | undefined {
  const { apiVersion = '', kind = '' } = object;
  const group = groupOf(object);
  const version = group === '' ? apiVersion : apiVersion.slice(group.length + 1);
  try {
    const found = mapper.forKind({ group, kind }, version);
    return found.version === version ? found : undefined;
  } catch {
    return undefined;
  }
}
