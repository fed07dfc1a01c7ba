/** Does what metrics count: writes, refusals, policies, jobs that end, pods that fit nowhere, pods that give way. */
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { authentication, authorization, until, type Programs } from './programs.ts';

const core = '/api/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';

/** @param reloads whether to wait until files are read again, which takes a minute */
export async function moveTraffic(programs: Programs, reloads = false): Promise<void> {
  const cluster = new Cluster(programs);
  await cluster.policies();
  await cluster.node();
  await Promise.all([cluster.pods(), cluster.job(), cluster.failingJob(), cluster.workloads()]);
  await cluster.reads();
  if (reloads) await cluster.reloads();
  await cluster.health();
}

class Cluster {
  readonly #programs: Programs;

  constructor(programs: Programs) {
    this.#programs = programs;
  }

  async #api(method: string, at: string, body?: unknown): Promise<unknown> {
    const { status, text } = await this.#programs.ask('kube-apiserver', method, at, body);
    if (status >= 300) throw new Error(`${method} ${at}: ${status} ${text}`);
    return JSON.parse(text);
  }

  /** A policy, and webhooks that can't be reached and need not be. */
  async policies(): Promise<void> {
    const admission = '/apis/admissionregistration.k8s.io/v1';
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ];
    await this.#api('POST', `${admission}/validatingadmissionpolicies`, {
      metadata: { name: 'named' },
      spec: {
        matchConstraints: { resourceRules: rules },
        validations: [{ expression: "object.metadata.name != 'refused'" }],
      },
    });
    await this.#api('POST', `${admission}/validatingadmissionpolicybindings`, {
      metadata: { name: 'named' },
      spec: { policyName: 'named', validationActions: ['Deny'] },
    });
    const webhook = {
      name: 'nobody.example.com',
      rules,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      failurePolicy: 'Ignore',
      timeoutSeconds: 1,
      clientConfig: { url: 'https://127.0.0.1:1/' },
    };
    for (const sort of ['validating', 'mutating'])
      await this.#api('POST', `${admission}/${sort}webhookconfigurations`, {
        metadata: { name: sort },
        webhooks: [webhook],
      });
    await until(async () => {
      const { status } = await this.#programs.ask('kube-apiserver', 'POST', `${core}/configmaps`, {
        metadata: { name: 'refused' },
      });
      if (status === 201) await this.#api('DELETE', `${core}/configmaps/refused`);
      return status === 422;
    });
    await this.#api('POST', `${core}/configmaps`, { metadata: { name: 'taken' } });
  }

  async node(): Promise<void> {
    await this.#api('POST', '/api/v1/nodes', {
      metadata: { name: 'node-a', labels: { 'kubernetes.io/hostname': 'node-a' } },
    });
    const resources = { cpu: '2', memory: '8Gi', pods: '110' };
    const now = new Date().toISOString();
    const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: now };
    await this.#api('PATCH', '/api/v1/nodes/node-a/status', {
      status: {
        capacity: resources,
        allocatable: resources,
        conditions: [{ ...ready, lastTransitionTime: now }],
      },
    });
  }

  /** One that fits, one that doesn't, one that may not yet, and one that is more important than the first. */
  async pods(): Promise<void> {
    const pod = (name: string, cpu: string, spec: object = {}) => ({
      metadata: { name },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu }, limits: { memory: '1Mi' } } }],
        ...spec,
      },
    });
    const isPlaced = async (name: string) => {
      const found = (await this.#api('GET', `${core}/pods/${name}`)) as { spec: { nodeName?: string } };
      return found.spec.nodeName !== undefined;
    };
    await this.#api('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name: 'high' },
      value: 1000,
    });
    await this.#api('POST', `${core}/pods`, pod('low', '1500m'));
    await until(() => isPlaced('low'));
    await this.#api('POST', `${core}/pods`, pod('huge', '100'));
    await this.#api(
      'POST',
      `${core}/pods`,
      pod('gated', '1m', { schedulingGates: [{ name: 'example.com/a' }] }),
    );
    await this.#api('POST', `${core}/pods`, pod('high', '1500m', { priorityClassName: 'high' }));
    await until(() => isPlaced('high'));
  }

  async job(): Promise<void> {
    await this.#api('POST', `${batch}/jobs`, jobNamed('done', {}));
    await this.#endPodOf('done', { phase: 'Succeeded' });
    await this.#waitFor('done', 'Complete');
  }

  async failingJob(): Promise<void> {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }];
    await this.#api('POST', `${batch}/jobs`, jobNamed('failed', { podFailurePolicy: { rules } }));
    const state = { terminated: { exitCode: 42, reason: 'Error' } };
    const status = { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state };
    await this.#endPodOf('failed', { phase: 'Failed', containerStatuses: [status] });
    await this.#waitFor('failed', 'Failed');
  }

  async #endPodOf(job: string, status: object): Promise<void> {
    let name = '';
    await until(async () => {
      const at = `${core}/pods?labelSelector=job-name%3D${job}`;
      const list = (await this.#api('GET', at)) as { items: { metadata: { name: string } }[] };
      name = list.items[0]?.metadata.name ?? '';
      return name !== '';
    });
    await this.#api('PATCH', `${core}/pods/${name}/status`, { status });
  }

  #waitFor(job: string, type: string): Promise<void> {
    return until(async () => {
      const found = (await this.#api('GET', `${batch}/jobs/${job}`)) as {
        status: { conditions?: { type: string; status: string }[] };
      };
      return found.status.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
    });
  }

  /** A deployment with a service, and an autoscaler that finds no metrics. */
  async workloads(): Promise<void> {
    const labels = { app: 'web' };
    await this.#api('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    await this.#api('POST', `${core}/services`, {
      metadata: { name: 'web' },
      spec: { selector: labels, ports: [{ port: 80 }], trafficDistribution: 'PreferSameZone' },
    });
    await this.#api('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
      metadata: { name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 3,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
      },
    });
    await until(async () => {
      const { text } = await this.#programs.ask('kube-controller-manager', 'GET', '/metrics');
      return (
        text.includes('horizontal_pod_autoscaler_controller_metric_computation_total{') &&
        text.includes('node_collector_evictions_total{') &&
        text.includes('endpoint_slice_controller_endpoints_desired')
      );
    });
  }

  /** Lists, watches that begin with a list, a deprecated kind, and what isn't there. */
  async reads(): Promise<void> {
    const list = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    await this.#programs.ask('kube-apiserver', 'GET', `${core}/pods?watch=true&${list}&timeoutSeconds=1`);
    await this.#programs.ask('kube-apiserver', 'GET', '/api/v1/componentstatuses');
    await this.#programs.askAnonymously('/api/v1/namespaces');
    await this.#programs.ask('kube-apiserver', 'GET', `${core}/pods/nobody`);
    await this.#programs.ask('kube-apiserver', 'GET', `${core}/pods`);
  }

  /** The files of authentication and authorization change. */
  async reloads(): Promise<void> {
    const put = async (name: string, text: string) => {
      const at = path.join(this.#programs.directory, name);
      await writeFile(`${at}.new`, text);
      await rename(`${at}.new`, at);
    };
    await put('authorization.yaml', authorization(['Node', 'RBAC']));
    await put('authentication.yaml', authentication(false));
    await until(async () => {
      const { text } = await this.#programs.ask('kube-apiserver', 'GET', '/metrics');
      return ['authentication', 'authorization'].every((what) =>
        text.includes(`apiserver_${what}_config_controller_automatic_reloads_total{`),
      );
    });
  }

  async health(): Promise<void> {
    for (const program of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const)
      await this.#programs.ask(program, 'GET', '/healthz');
  }
}

const jobNamed = (name: string, spec: object) => ({
  metadata: { name },
  spec: {
    backoffLimit: 0,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
    ...spec,
  },
});
