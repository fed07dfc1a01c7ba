import { ManualClock } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { afterEach, describe, expect, test } from 'vitest';
import { enabledPlugins, onlyPlugins, pluginOrder } from './plugin-order.ts';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
afterEach(() => server?.stop());

const pods = '/api/v1/namespaces/default/pods';
const pod = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'c', image: 'img' }], ...spec },
});

const annotateDefault = (annotations: Record<string, string>) =>
  server.send(
    'PATCH',
    '/api/v1/namespaces/default',
    { metadata: { annotations } },
    'application/merge-patch+json',
  );

describe('the flags', () => {
  test('name plugins in any order; the chain has the original’s', () => {
    const names = enabledPlugins(['EventRateLimit', 'AlwaysAdmit'], ['ServiceAccount']);

    expect(names.slice(0, 3)).toEqual(['AlwaysAdmit', 'NamespaceLifecycle', 'LimitRanger']);
    expect(names.indexOf('EventRateLimit')).toBeGreaterThan(names.indexOf('DefaultTolerationSeconds'));
    expect(names).not.toContain('ServiceAccount');
  });

  test.each([
    [
      ['Foo'],
      ['Bar'],
      '[enable-admission-plugins plugin "Foo" is unknown, disable-admission-plugins plugin "Bar" is unknown]',
    ],
    [
      ['AlwaysDeny', 'ServiceAccount'],
      ['ServiceAccount', 'AlwaysDeny'],
      '[AlwaysDeny ServiceAccount] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
  ])('%j and %j are refused', (enable, disable, message) => {
    expect(() => enabledPlugins(enable, disable)).toThrow(message);
  });

  test('--admission-control enables exactly these plugins', () => {
    const { enable, disable } = onlyPlugins(['AlwaysDeny'], [], []);

    expect(enabledPlugins(enable, disable)).toEqual(['AlwaysDeny']);
    expect(disable).toHaveLength(pluginOrder.length - 1);
    expect(() => onlyPlugins(['AlwaysDeny'], ['AlwaysAdmit'], [])).toThrow('mutually exclusive');
  });
});

test('pods get the node selector of their namespace only', async () => {
  server = await startedServer({
    enableAdmissionPlugins: ['PodNodeSelector'],
    pluginConfigurations: new Map([
      [
        'PodNodeSelector',
        'podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: zone=a, default: "zone=a,disk=ssd"}',
      ],
    ]),
  });

  const given = await server.send('POST', `${pods}?dryRun=All`, pod());
  const other = await server.send('POST', `${pods}?dryRun=All`, pod({ nodeSelector: { zone: 'b' } }));
  const unlisted = await server.send('POST', `${pods}?dryRun=All`, pod({ nodeSelector: { x: 'y' } }));

  expect(given.body.spec!['nodeSelector']).toEqual({ zone: 'a' });
  expect(other.body.message).toBe(
    'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
  );
  expect(unlisted.body.message).toContain(
    'pod node label selector labels conflict with its namespace whitelist',
  );
});

test('an invalid node selector of a namespace is reported', async () => {
  server = await startedServer({ enableAdmissionPlugins: ['PodNodeSelector'] });
  await annotateDefault({ 'scheduler.alpha.kubernetes.io/node-selector': 'zone' });

  const { status, body } = await server.send('POST', `${pods}?dryRun=All`, pod());

  expect([status, body.message]).toEqual([500, 'invalid selector: [zone]']);
});

test('tolerations of the namespace are added, and others are refused', async () => {
  server = await startedServer({ enableAdmissionPlugins: ['PodTolerationRestriction'] });
  const team = { key: 'team', operator: 'Equal', value: 'a', effect: 'NoSchedule' };
  await annotateDefault({
    'scheduler.alpha.kubernetes.io/defaultTolerations': JSON.stringify([team]),
    'scheduler.alpha.kubernetes.io/tolerationsWhitelist': JSON.stringify([
      { operator: 'Exists', effect: 'NoSchedule' },
      { operator: 'Exists', effect: 'NoExecute' },
    ]),
  });

  const given = await server.send('POST', `${pods}?dryRun=All`, pod());
  const burstable = { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] };
  const promised = await server.send('POST', `${pods}?dryRun=All`, pod(burstable));
  const refused = await server.send(
    'POST',
    `${pods}?dryRun=All`,
    pod({ tolerations: [{ key: 'x', operator: 'Exists', effect: 'PreferNoSchedule' }] }),
  );

  expect(given.body.spec!['tolerations']).toContainEqual(team);
  expect(promised.body.spec!['tolerations']).toContainEqual({
    key: 'node.kubernetes.io/memory-pressure',
    operator: 'Exists',
    effect: 'NoSchedule',
  });
  expect([refused.status, refused.body.message]).toEqual([
    500,
    'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
  ]);
});

test('anti-affinity may be of the node, not of the zone', async () => {
  server = await startedServer({ enableAdmissionPlugins: ['LimitPodHardAntiAffinityTopology'] });
  const apart = (topologyKey: string) =>
    pod({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }],
        },
      },
    });

  const node = await server.send('POST', `${pods}?dryRun=All`, apart('kubernetes.io/hostname'));
  const zone = await server.send('POST', `${pods}?dryRun=All`, apart('zone'));

  expect(node.status).toBe(201);
  expect(zone.body.message).toContain('has TopologyKey zone but only key kubernetes.io/hostname is allowed');
});

test('a claim gets the newest default class, whichever annotation marks it', async () => {
  const clock = new ManualClock();
  server = await startedServer({ clock });
  const mark = async (name: string, annotation: string) => {
    const metadata = { name, annotations: { [annotation]: 'true' } };
    await server.send('POST', '/apis/storage.k8s.io/v1/storageclasses', { metadata, provisioner: 'x.org/p' });
  };
  const claim = {
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };

  await mark('older', 'storageclass.kubernetes.io/is-default-class');
  await clock.advance(1000);
  await mark('newer', 'storageclass.beta.kubernetes.io/is-default-class');
  const { body } = await server.send(
    'POST',
    '/api/v1/namespaces/default/persistentvolumeclaims?dryRun=All',
    claim,
  );

  expect(body.spec!['storageClassName']).toBe('newer');
});

test('events beyond the burst are refused with 429 until time has passed', async () => {
  const clock = new ManualClock();
  const limits = [{ type: 'Namespace', qps: 1, burst: 2 }];
  const configuration = {
    apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
    kind: 'Configuration',
    limits,
  };
  server = await startedServer({
    clock,
    enableAdmissionPlugins: ['EventRateLimit'],
    pluginConfigurations: new Map([['EventRateLimit', JSON.stringify(configuration)]]),
  });
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  const send = async (name: string) => {
    const body = { metadata: { name }, involvedObject };
    return server.send('POST', '/api/v1/namespaces/default/events', body);
  };

  const first = [await send('a'), await send('b'), await send('c')];
  await clock.advance(1000);
  const later = await send('d');

  expect(first.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(first[2]!.body.message).toBe('limit reached on type Namespace for key default');
  expect(later.status).toBe(201);
});

describe('images are judged elsewhere', () => {
  const configuration = (defaultAllow: boolean) =>
    new Map([['ImagePolicyWebhook', JSON.stringify({ imagePolicy: { kubeConfigFile: 'k', defaultAllow } })]]);

  test('a refusal has the reason of the service, and is kept', async () => {
    const asked: string[] = [];
    server = await startedServer({
      enableAdmissionPlugins: ['ImagePolicyWebhook'],
      pluginConfigurations: configuration(false),
      connectWebhook: () => ({
        post: async (body) => {
          asked.push(body);
          return { status: 200, body: JSON.stringify({ status: { allowed: false, reason: 'old' } }) };
        },
      }),
    });

    const answers = [await server.send('POST', pods, pod()), await server.send('POST', pods, pod())];

    expect(answers.map(({ body }) => body.message)).toEqual(
      Array(2).fill('pods "p" is forbidden: image policy webhook backend denied one or more images: old'),
    );
    expect(asked.map((text) => (JSON.parse(text) as { spec: unknown }).spec)).toEqual([
      { containers: [{ image: 'img' }], namespace: 'default' },
    ]);
  });

  test('an unavailable service allows pods if configured, and annotates them', async () => {
    const connectWebhook = () => ({ post: () => Promise.reject(new Error('away')) });
    const start = (defaultAllow: boolean) =>
      startedServer({
        enableAdmissionPlugins: ['ImagePolicyWebhook'],
        pluginConfigurations: configuration(defaultAllow),
        connectWebhook,
      });

    server = await start(false);
    const closed = await server.send('POST', pods, pod());
    await server.stop();
    server = await start(true);
    const open = await server.send('POST', pods, pod());

    expect([closed.status, open.status]).toEqual([403, 201]);
    expect(open.body.metadata.annotations).toEqual({ 'alpha.image-policy.k8s.io/failed-open': 'true' });
  });
});

describe('owners', () => {
  const alice: UserInfo = { name: 'alice', groups: ['system:authenticated'] };
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', blockOwnerDeletion: true };
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const allowAlice = async (rules: object[]) => {
    await server.send('POST', `${rbac}/roles`, { metadata: { name: 'r' }, rules });
    await server.send('POST', `${rbac}/rolebindings`, {
      metadata: { name: 'r' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }],
    });
  };
  const create = (ref: object) =>
    server.send(
      'POST',
      '/api/v1/namespaces/default/configmaps',
      { metadata: { name: 'c', ownerReferences: [ref] } },
      'application/json',
      alice,
    );

  test("blocking an owner's deletion requires permission to set its finalizers", async () => {
    server = await startedServer({ enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'] });
    const configMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] };
    await allowAlice([configMaps]);

    const refused = await create(owner);
    const unknown = await create({ ...owner, kind: 'Nope' });
    await allowAlice([configMaps]);
    await server.send('PUT', `${rbac}/roles/r`, {
      metadata: { name: 'r' },
      rules: [configMaps, { apiGroups: [''], resources: ['pods/finalizers'], verbs: ['update'] }],
    });
    const allowed = await create(owner);

    expect(refused.body.message).toContain(
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>",
    );
    expect(unknown.body.message).toContain('no matches for kind "Nope" in version "v1"');
    expect(allowed.status).toBe(201);
  });
});

describe('Pod Security by configuration', () => {
  const configuration = {
    apiVersion: 'pod-security.admission.config.k8s.io/v1',
    kind: 'PodSecurityConfiguration',
    defaults: { enforce: 'baseline' },
    exemptions: { namespaces: ['kube-system'], usernames: ['bob'], runtimeClasses: [] },
  };
  const privileged = pod({ containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] });

  test('holds where labels say nothing, except for the exempted', async () => {
    server = await startedServer({
      allowPrivileged: true,
      pluginConfigurations: new Map([['PodSecurity', JSON.stringify(configuration)]]),
    });
    const bob: UserInfo = { name: 'bob', groups: ['system:masters'] };

    const refused = await server.send('POST', `${pods}?dryRun=All`, privileged);
    const exemptNamespace = await server.send(
      'POST',
      '/api/v1/namespaces/kube-system/pods?dryRun=All',
      privileged,
    );
    const exemptUser = await server.send('POST', `${pods}?dryRun=All`, privileged, 'application/json', bob);

    expect(refused.body.message).toContain('violates PodSecurity "baseline:latest": privileged');
    expect([exemptNamespace.status, exemptUser.status]).toEqual([201, 201]);
  });
});

describe('a configuration of webhooks', () => {
  const started = (
    members: object,
    kind = 'WebhookAdmissionConfiguration',
    plugin = 'MutatingAdmissionWebhook',
  ) =>
    startedServer({
      pluginConfigurations: new Map([
        [plugin, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind, ...members })],
      ]),
    });
  const failing = "failed to apply admission: couldn't init admission plugin";

  test('names the file of its credentials in full', async () => {
    await expect(started({ kubeConfigFile: 'config' })).rejects.toThrow(
      `${failing} "MutatingAdmissionWebhook": kubeConfigFile: Invalid value: "config": must be an absolute file path`,
    );
  });

  test('is no place for manifests, nor is that of policies', async () => {
    const staticManifestsDir = '/manifests';
    const forbidden =
      'staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled';
    await expect(started({ staticManifestsDir })).rejects.toThrow(
      `${failing} "MutatingAdmissionWebhook": ${forbidden}`,
    );
    const plugin = 'ValidatingAdmissionPolicy';
    await expect(started({ staticManifestsDir }, `${plugin}Configuration`, plugin)).rejects.toThrow(
      `${failing} "${plugin}": ${forbidden}`,
    );
  });
});
