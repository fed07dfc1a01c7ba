/** The state of the garbage collector. */

import {
  isStatusError,
  type GroupVersionResource,
  type KubeObject,
  type StepDetail,
} from '@coxswain/apimachinery';
import type { ApiResource, ResourceClient, RestMapper } from '@coxswain/client';
import type { ControllerContext } from '../controller.ts';
import { OwnerGraph, identityText, type GraphNode, type Identity } from './graph.ts';

/** The maximum number of owners cached as absent. */
const absentOwnersMax = 500;

/** Where objects wait, by uid. */
interface Queues {
  attemptToDelete(uid: string): void;
  attemptToOrphan(uid: string): void;
}

interface Monitor {
  readonly stop: AbortController;
}

/** What deletion and orphaning share: the graph, the owners known to be absent, and access to objects. */
export class GarbageCollector {
  readonly context: ControllerContext;
  readonly graph: OwnerGraph;
  readonly queues: Queues;
  readonly monitors = new Map<string, Monitor>();
  readonly absent = new Set<string>();
  mapper: RestMapper | undefined;

  constructor(context: ControllerContext, queues: Queues) {
    this.context = context;
    this.queues = queues;
    this.graph = new OwnerGraph({
      examine: (node) => queues.attemptToDelete(node.identity.uid),
      orphan: (node) => queues.attemptToOrphan(node.identity.uid),
      invalidNamespace: (dependent, ownerUid) => this.reportInvalidNamespace(dependent, ownerUid),
    });
  }

  /** Reports details to the observer. */
  report(values: StepDetail): void {
    this.context.observer?.note?.(values);
  }

  async read(identity: Identity): Promise<KubeObject | undefined> {
    try {
      return await this.client(identity).get(identity.name);
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  client(identity: Identity): ResourceClient<KubeObject> {
    const resource = this.resourceOf(identity);
    const client = this.context.client.resource(resource).metadataOnly();
    return resource.namespaced ? client.namespace(identity.namespace) : client;
  }

  /** @throws NoMatchError while the kind is not served, since nothing is known about its objects then */
  resourceOf({
    apiVersion,
    kind,
  }: {
    readonly apiVersion: string;
    readonly kind: string;
  }): ApiResource & GroupVersionResource {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    if (this.mapper === undefined) throw new Error('discovery has not completed yet');
    return this.mapper.forKind({ group, kind }, apiVersion.slice(slash + 1));
  }

  noteAbsent(node: GraphNode): void {
    this.rememberAbsent(identityText(node.identity));
    this.graph.verifiedAbsent(node.identity);
  }

  rememberAbsent(key: string): void {
    this.absent.add(key);
    if (this.absent.size > absentOwnersMax) this.absent.delete(this.absent.values().next().value!);
  }

  reportInvalidNamespace(dependent: GraphNode, ownerUid: string): void {
    const reference = dependent.owners.find((owner) => owner.uid === ownerUid);
    if (reference === undefined) return;
    const { apiVersion, kind, name, namespace, uid } = dependent.identity;
    const owner = { ...reference, namespace };
    const text = `ownerRef ${identityText(owner)} does not exist in namespace "${namespace}"`;
    const about = { kind, apiVersion, namespace, name, uid };
    this.context
      .events('garbage-collector-controller')
      .event(about, 'Warning', 'OwnerRefInvalidNamespace', text);
  }
}

/** `ReplicaSet default/web` */
export const reportedNode = ({ identity: { kind, namespace, name } }: GraphNode): string =>
  `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;

/** If the object is gone, only its uid is known. */
export const reportedName = (node: GraphNode | undefined, uid: string): string =>
  node === undefined ? uid : reportedNode(node);
