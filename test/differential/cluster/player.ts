/** Plays one scenario on one cluster and tells what was seen at each step. */
import type { Clock } from '@coxswain/apimachinery';
import { fillIn, type Answers } from './answers.ts';
import type { Answer, OpenObject, ScenarioClient } from './client.ts';
import { ComparableObjects } from './comparable-objects.ts';
import { get, holds } from './paths.ts';
import type { ScenarioKubelet } from './scenario-kubelet.ts';
import type { EventFilter, Json, JsonObject, Scenario, Seen, Step, View } from './scenario.ts';

export interface Cluster {
  readonly name: string;
  readonly client: ScenarioClient;
  readonly kubelet: ScenarioKubelet;
  /** How long a step waits for what may never come true, unless it says so itself. */
  readonly settleMs: number;
}

/** How long the nodes may take for what they do, in milliseconds. */
const patienceMs = 20_000;
export class Player {
  private readonly cluster: Cluster;
  private readonly scenario: Scenario;
  private readonly namespace: string;
  private readonly answers: Answers;
  private readonly normaliser: ComparableObjects;
  private readonly names = new Map<string, string>();
  private readonly created: string[] = [];
  private readonly extraNodes: string[] = [];

  constructor(cluster: Cluster, scenario: Scenario) {
    this.cluster = cluster;
    this.scenario = scenario;
    const id = Array.from({ length: 6 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join(
      '',
    );
    this.namespace = `case-${id}`;
    this.answers = new Map([
      ['ns', this.namespace],
      ['id', id],
    ]);
    const nodeNames = scenario.nodes !== undefined || scenario.nodeNames === true;
    this.normaliser = new ComparableObjects({ ns: this.namespace, id, names: this.names, nodeNames });
  }

  private get clock(): Clock {
    return this.cluster.client.clock;
  }

  /** Plays it to its end, whatever happens, and removes what it made. */
  async play(): Promise<Seen[]> {
    const seen: Seen[] = [];
    try {
      await this.prepare();
      for (const [at, step] of this.scenario.steps.entries()) {
        const found = await this.look(step);
        if (Object.keys(found).length > 0) seen.push({ step: step.name ?? String(at), ...found });
      }
    } catch (error) {
      seen.push({ step: 'broken off', error: this.normaliser.text(String(error)) });
    } finally {
      await this.cleanUp().catch((error: unknown) =>
        console.error(this.cluster.name, 'clean-up', String(error)),
      );
    }
    return seen;
  }

  private async prepare(): Promise<void> {
    const { client, kubelet } = this.cluster;
    if (!this.scenario.cluster) {
      const metadata = { name: this.namespace, labels: this.scenario.nsLabels };
      const made = await client.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
      if (made.status !== 201) throw new Error(`namespace: ${JSON.stringify(made.body)}`);
      for (const path of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']) {
        await this.until(
          async () => (await client.get(`/api/v1/namespaces/${this.namespace}/${path}`)).status === 200,
        );
      }
    }
    for (const node of this.scenario.nodes ?? []) await kubelet.addNode(this.fill(node));
  }

  private fill<Value>(value: Value): Value {
    return fillIn(value, this.answers, get);
  }

  private async until(true_: () => Promise<boolean>, withinMs = patienceMs): Promise<void> {
    const end = this.clock.now() + withinMs;
    for (let pauseMs = 60; !(await true_()); pauseMs = Math.min(pauseMs * 1.3, 400)) {
      if (this.clock.now() > end) throw new Error('timed out');
      await this.clock.sleep(pauseMs);
    }
  }

  private async look(step: Step): Promise<JsonObject> {
    const { kubelet } = this.cluster;
    if (step.req !== undefined) return await this.ask(step);
    if (step.settle !== undefined) return await this.settle(step.settle);
    if (step.snapshot !== undefined) return await this.snapshot(step);
    if (step.events !== undefined)
      return await this.events(step.events === true ? {} : this.fill(step.events));
    if (step.pods !== undefined) return await this.actAsKubelet(step.pods);
    if (step.node !== undefined) await kubelet.changeNode(this.fill(step.node));
    if (step.addNode !== undefined) {
      this.extraNodes.push(step.addNode.name);
      await kubelet.addNode(this.fill(step.addNode));
    }
    if (step.removeNode !== undefined) await kubelet.removeNode(this.fill(step.removeNode));
    if (step.wait !== undefined) await this.clock.sleep(step.wait);
    return {};
  }

  private async ask(step: Step): Promise<JsonObject> {
    const [method, path] = this.fill(step.req!).split(/ (.*)/) as [string, string];
    const headers = step.impersonate && {
      'impersonate-user': step.impersonate.user,
      ...(step.impersonate.groups ? { 'impersonate-group': step.impersonate.groups } : {}),
    };
    const type = step.type ?? (method === 'PATCH' ? 'application/merge-patch+json' : undefined);
    const client = step.as === undefined ? this.cluster.client : this.cluster.client.as(step.as);
    const answer = await client.request(method, path, { body: this.fill(step.body), type, headers });
    if (step.name !== undefined) this.answers.set(step.name, answer.body);
    this.normaliser.learn(answer.body);
    this.remember(answer, path.split('?')[0]!);
    const reported = step.full === true || answer.status >= 400;
    return { status: answer.status, ...(reported ? { body: this.normaliser.object(answer.body) } : {}) };
  }

  /** What stands outside the scenario's namespace must be removed by hand. */
  private remember(answer: Answer, path: string): void {
    if (answer.status !== 201 || !answer.body.metadata?.name) return;
    if (/\/namespaces\/[^/]+\/.+/.test(path) || /(review|token)s?$/i.test(path)) return;
    this.created.push(`${path}/${answer.body.metadata.name}`);
  }

  /** Waiting in vain is no failure: what comes of it is seen by the steps that follow. */
  private async settle(settle: NonNullable<Step['settle']>): Promise<JsonObject> {
    for (const { get, where } of this.fill(settle.until ?? [])) {
      const conditions = [where ?? []].flat();
      const held = async () => {
        const { status, body } = await this.cluster.client.get(get);
        if (where === 'gone') return status === 404;
        return status === 200 && conditions.every((condition) => holds(body, condition));
      };
      try {
        await this.until(held, settle.timeoutMs ?? this.cluster.settleMs);
      } catch {
        return { 'waited in vain for': this.normaliser.text(`${get} ${conditions.join(', ')}`) };
      }
    }
    if (settle.quietMs !== undefined) await this.clock.sleep(settle.quietMs);
    return {};
  }

  private async snapshot(step: Step): Promise<JsonObject> {
    const end = this.clock.now() + (step.stableMs ?? 8000);
    let before = JSON.stringify(await this.view(step.snapshot!));
    for (;;) {
      await this.clock.sleep(step.every ?? 500);
      const view = await this.view(step.snapshot!);
      const now = JSON.stringify(view);
      if (now === before) return { snapshot: view };
      if (this.clock.now() > end) return { snapshot: view, moving: true };
      before = now;
    }
  }

  private async view(items: readonly (string | View)[]): Promise<JsonObject> {
    const views: Record<string, Json> = {};
    for (const item of items) {
      const view = typeof item === 'string' ? { get: item } : item;
      const { status, body } = await this.cluster.client.get(this.fill(view.get));
      this.learn(body);
      if (status !== 200) views[view.get] = { status };
      else if (Array.isArray(body.items)) {
        const kept = body.items.filter(
          ({ metadata }) => metadata?.name !== 'kube-root-ca.crt' || view.keepRootCA,
        );
        views[view.get] = counted(kept.map((object) => this.viewOf(object, view)));
      } else views[view.get] = this.viewOf(body, view);
    }
    return views;
  }

  private learn(body: unknown): void {
    this.normaliser.learn(body);
    for (const [name, shown] of this.cluster.kubelet.names)
      if (!this.names.has(name)) this.names.set(name, shown);
  }

  private viewOf(object: OpenObject, view: View): Json {
    const picked = view.pick
      ?.map((path) => [path, get(object, path)] as const)
      .filter(([, value]) => value !== undefined);
    const seen = (
      picked === undefined
        ? this.normaliser.value(object)
        : Object.fromEntries(
            picked.map(([path, value]) => [path, this.normaliser.value(value, path.split('.').at(-1))]),
          )
    ) as Record<string, Json>;
    const metadata = seen['metadata'] as Record<string, Json> | undefined;
    // How often a slice was written is a matter of timing.
    if (view.get.includes('/endpointslices') && metadata) delete metadata['generation'];
    for (const path of view.drop ?? []) without(seen, path);
    return seen;
  }

  private async events(filter: EventFilter): Promise<JsonObject> {
    let before = '';
    for (let reading = 0; reading < 12; reading++) {
      const now = JSON.stringify(await this.readEvents(filter));
      if (now === before) break;
      before = now;
      await this.clock.sleep(600);
    }
    return { events: JSON.parse(before) as Json };
  }

  private async readEvents(filter: EventFilter): Promise<Json> {
    const { body } = await this.cluster.client.get(
      `/api/v1/namespaces/${filter.ns ?? this.namespace}/events`,
    );
    this.learn({});
    const seen = new Set<string>();
    for (const item of (body.items ?? []) as unknown as readonly RecordedEvent[]) {
      const { involvedObject } = item;
      if (filter.kinds && !filter.kinds.includes(involvedObject.kind)) continue;
      if (filter.names && !filter.names.includes(involvedObject.name)) continue;
      if (filter.reasons && !filter.reasons.includes(item.reason)) continue;
      seen.add(JSON.stringify(this.eventView(item)));
    }
    return [...seen].toSorted().map((text) => JSON.parse(text) as Json);
  }

  private eventView(item: RecordedEvent): Json {
    const { kind, name, fieldPath } = item.involvedObject;
    const message = this.normaliser.text(item.message ?? '');
    return {
      kind,
      name: this.normaliser.text(name),
      type: item.type,
      reason: item.reason,
      message: this.normaliser.known.nodeNames
        ? message
        : message.replace(/(Successfully assigned \S+ to) \S+/, '$1 <node>'),
      from: item.reportingComponent || item.source?.component || '',
      action: item.action,
      related: item.related?.kind,
      fieldPath,
    };
  }

  private async actAsKubelet(wanted: NonNullable<Step['pods']>): Promise<JsonObject> {
    const action = this.fill(wanted);
    const { kubelet, client } = this.cluster;
    const matching = () =>
      kubelet.matching(action.ns ?? this.namespace, action.selector).filter((pod) => {
        if (Boolean(pod.metadata.deletionTimestamp) !== Boolean(action.terminating)) return false;
        if (action.any) return true;
        const bound = action.do === 'delete' || pod.spec.nodeName !== undefined;
        return bound && !['Succeeded', 'Failed'].includes(pod.status.phase ?? '');
      });
    const count = action.count ?? 1;
    if (!action.optional)
      await this.until(async () => matching().length >= count, action.timeoutMs ?? 15_000);
    for (const pod of matching().slice(0, count)) {
      if (action.do === 'finalise') await kubelet.finalise(pod);
      else if (action.do === 'delete') await client.delete(kubelet.path(pod));
      else await kubelet.set(pod, action.do);
    }
    return {};
  }

  private async cleanUp(): Promise<void> {
    const { client, kubelet } = this.cluster;
    for (const node of this.extraNodes) await kubelet.removeNode(this.fill(node));
    const isNamespace = (path: string) => /^\/api\/v1\/namespaces\/[^/]+$/.test(path);
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    for (const path of this.created.filter((made) => !isNamespace(made)).toReversed())
      await client.delete(path, options);
    const namespaces = this.created.filter(isNamespace).map((path) => path.split('/').at(-1)!);
    if (!this.scenario.cluster) namespaces.push(this.namespace);
    for (const namespace of namespaces) await this.emptyNamespace(namespace);
    for (const node of this.scenario.nodes ?? []) await kubelet.removeNode(this.fill(node.name));
    if (!this.scenario.nodes) return;
    // The next scenario must not meet these pods in the scheduler's memory.
    const pods = `/api/v1/namespaces/${this.namespace}/pods`;
    await this.until(async () => !(await client.get(pods)).body.items?.length);
    await this.clock.sleep(150);
  }

  private async emptyNamespace(namespace: string): Promise<void> {
    const { client } = this.cluster;
    await client.delete(`/api/v1/namespaces/${namespace}`);
    const pods = await client.get(`/api/v1/namespaces/${namespace}/pods`);
    for (const { metadata } of pods.body.items ?? []) {
      const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}`;
      if (metadata.finalizers?.some((finalizer) => !finalizer.startsWith('batch.'))) {
        const type = 'application/merge-patch+json';
        await client.request('PATCH', path, { type, body: { metadata: { finalizers: null } } });
      }
      await client.delete(path, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 });
    }
  }
}

interface RecordedEvent {
  readonly involvedObject: { readonly kind: string; readonly name: string; readonly fieldPath?: string };
  readonly type: string;
  readonly reason: string;
  readonly message?: string;
  readonly reportingComponent?: string;
  readonly source?: { readonly component?: string };
  readonly action?: string;
  readonly related?: { readonly kind: string };
}

/** Equal items are told once, with their number. */
function counted(items: readonly Json[]): Json {
  const numbers = new Map<string, number>();
  for (const item of items) {
    const text = JSON.stringify(item);
    numbers.set(text, (numbers.get(text) ?? 0) + 1);
  }
  return [...numbers]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([text, number]) => ({
      ...(number > 1 ? { '×': number } : {}),
      ...(JSON.parse(text) as JsonObject),
    }));
}

function without(object: Record<string, Json>, path: string): void {
  const keys = path.match(/\["[^"]+"\]|[^.[\]]+/g)!.map((key) => key.replace(/^\["|"\]$/g, ''));
  let parents: Json[] = [object];
  for (const key of keys.slice(0, -1)) {
    parents = parents.flatMap((parent) => {
      if (parent === null || typeof parent !== 'object') return [];
      const members = parent as Record<string, Json>;
      return key === '*' ? Object.values(members) : members[key] === undefined ? [] : [members[key]];
    });
  }
  for (const parent of parents)
    if (parent !== null && typeof parent === 'object') delete (parent as Record<string, Json>)[keys.at(-1)!];
}
