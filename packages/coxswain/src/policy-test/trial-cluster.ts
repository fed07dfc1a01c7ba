/** An API server in this process that only answers trial requests; nothing is kept. */
import type { KubeObject } from '@coxswain/apimachinery';
import {
  discoveryClient,
  restMapper,
  warningTexts,
  type ApiResource,
  type Transport,
} from '@coxswain/client';
import type { UserInfo } from '@coxswain/apiserver';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { applier } from '../testing/manifests.ts';
import type { CaseRequest, Requester } from './suite.ts';

export interface Answer {
  readonly status: number;
  /** The message of the Status; empty if the request was allowed. */
  readonly message: string;
  readonly warnings: readonly string[];
  /** The object after admission; undefined for a deletion. */
  readonly object: KubeObject | undefined;
}

export interface TrialCluster {
  /** Creates the objects; bindings of policies take effect with the next {@link ask}. */
  prepare(objects: readonly KubeObject[]): Promise<void>;
  /** Answers one request against the prepared objects. */
  ask(request: CaseRequest, as: Requester | undefined): Promise<Answer>;
  stop(): Promise<void>;
}

/** Policies are tested independently of RBAC, which applies only if the objects include roles. */
const everybodyMay: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'policy-test' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }],
} as KubeObject;

const isBinding = ({ kind = '' }: KubeObject): boolean => kind.endsWith('AdmissionPolicyBinding');
const isRight = ({ apiVersion = '' }: KubeObject): boolean =>
  apiVersion.startsWith('rbac.authorization.k8s.io/');

export async function startTrialCluster(): Promise<TrialCluster> {
  const cluster = await startCluster({ controllers: [], nodes: 0, scheduler: false });
  const client = cluster.client();
  const discovery = discoveryClient(client.rest);
  const { apply } = applier({ client, namespace: 'default', settle: () => Promise.resolve() });
  const namespaces = new Set<string>();
  let bindings: readonly KubeObject[] = [];

  /** Namespaces are created when first mentioned, with the default service account for pods. */
  const addNamespace = async (name: string): Promise<void> => {
    if (namespaces.has(name)) return;
    namespaces.add(name);
    await apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } },
    ]);
  };
  const resourceOf = async ({ apiVersion = '', kind = '' }: KubeObject): Promise<ApiResource> => {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    return restMapper(await discovery.discover()).forKind({ group: group ?? '', kind }, version ?? '');
  };
  return {
    async prepare(objects) {
      bindings = objects.filter(isBinding);
      if (!objects.some(isRight)) await apply(everybodyMay);
      for (const object of objects.filter((each) => !isBinding(each))) {
        if (object.kind !== 'Namespace') await addNamespace(object.metadata.namespace ?? 'default');
        await apply(object);
        if (object.kind === 'Namespace') await addNamespace(object.metadata.name ?? '');
      }
    },
    async ask(request, as) {
      const resource = await resourceOf(request.object);
      const namespace = request.object.metadata.namespace ?? 'default';
      if (resource.namespaced) await addNamespace(namespace);
      const prepared = cluster.snapshot();
      try {
        if (request.before !== undefined) await apply(request.before);
        await apply(bindings);
        return await send(cluster, resource, request, userOf(as));
      } finally {
        await cluster.reset(prepared);
      }
    },
    stop: () => cluster.stop(),
  };
}

const userOf = (as: Requester | undefined): UserInfo | undefined =>
  as && {
    name: as.user,
    ...(as.uid === undefined ? {} : { uid: as.uid }),
    groups: [...new Set([...(as.groups ?? []), 'system:authenticated'])],
    ...(as.extra === undefined ? {} : { extra: as.extra }),
  };

async function send(
  cluster: Cluster,
  resource: ApiResource,
  { verb, object }: CaseRequest,
  user: UserInfo | undefined,
): Promise<Answer> {
  const transport: Transport = cluster.transport(user);
  const { group, version, namespaced } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced ? `${root}/namespaces/${object.metadata.namespace ?? 'default'}` : root;
  const all = `${place}/${resource.resource}`;
  const name = encodeURIComponent(object.metadata.name ?? '');
  const answer = await transport.send({
    method: methods[verb],
    path: `${verb === 'create' ? all : `${all}/${name}`}?dryRun=All`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    ...(verb === 'delete' ? {} : { body: new TextEncoder().encode(JSON.stringify(object)) }),
  });
  const body = answer.object ?? JSON.parse(new TextDecoder().decode(await answer.bytes()));
  const isRefused = answer.status >= 400;
  return {
    status: answer.status,
    message: isRefused ? ((body as { readonly message?: string }).message ?? '') : '',
    warnings: warningTexts(answer.headers['warning']),
    object: isRefused || verb === 'delete' ? undefined : (body as KubeObject),
  };
}

const methods = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const;
