/** Authorizes kubelets: by fixed rules, and for most kinds only for objects related to the kubelet's node. */
import { goQuote } from '@coxswain/apimachinery';
import { exactFieldMatch, parseFieldSelector } from '@coxswain/apimachinery/field-selector.ts';
import {
  allowed,
  noOpinion,
  type AuthorizationAttributes,
  type Authorizer,
  type Decision,
} from '@coxswain/apiserver/authorization/authorizer.ts';
import { compileRule } from '@coxswain/apiserver/authorization/rbac/rule.ts';
import type { PolicyRule } from '@coxswain/apiserver/authorization/rbac/objects.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { NodeGraph, RelatedKind } from './node-graph.ts';
import { nodeNameOf } from './node-identity.ts';

export interface NodeAuthorizerParts {
  readonly graph: NodeGraph;
  /** The rules of the role `system:node`. */
  readonly rules: readonly PolicyRule[];
  readonly features: FeatureGates;
}

export function nodeAuthorizer({ graph, rules, features }: NodeAuthorizerParts): Authorizer {
  const checks = rules.map(compileRule);
  return {
    name: 'Node',
    decide(attributes) {
      const node = nodeNameOf(attributes.user);
      if (node === undefined) return noOpinion;
      if (node === '') return unclear(`unknown node for user ${goQuote(attributes.user.name)}`);
      const special = attributes.isResourceRequest
        ? specials[`${attributes.group}/${attributes.resource}`]
        : undefined;
      if (special !== undefined) return special({ node, attributes, graph, features });
      return checks.some((check) => check(attributes)) ? allowed : noOpinion;
    },
  };
}

interface Question {
  readonly node: string;
  readonly attributes: AuthorizationAttributes;
  readonly graph: NodeGraph;
  readonly features: FeatureGates;
}

type Special = (question: Question) => Decision;

const unclear = (reason: string): Decision => ({ kind: 'no-opinion', reason });

/** By `group/resource`. */
const specials: Readonly<Record<string, Special>> = {
  '/secrets': (question) => readOne(question, 'secret'),
  '/configmaps': (question) => readOne(question, 'configmap'),
  '/persistentvolumeclaims': (question) =>
    question.attributes.subresource === 'status' ? updateStatus(question, 'pvc') : getOne(question, 'pvc'),
  '/persistentvolumes': (question) => getOne(question, 'pv'),
  'resource.k8s.io/resourceclaims': (question) => getOne(question, 'resourceclaim'),
  'storage.k8s.io/volumeattachments': (question) => getOne(question, 'volumeattachment'),
  '/serviceaccounts': serviceAccount,
  'coordination.k8s.io/leases': lease,
  'storage.k8s.io/csinodes': csiNode,
  'resource.k8s.io/resourceslices': resourceSlice,
  '/nodes': nodeItself,
  '/pods': pod,
  'certificates.k8s.io/podcertificaterequests': podCertificateRequest,
};

function related({ node, attributes, graph }: Question, kind: RelatedKind): Decision {
  const { namespace, name } = attributes;
  if (name === '') return unclear('No Object name found');
  return graph.isRelated(node, kind, namespace, name)
    ? allowed
    : unclear(`no relationship found between node '${node}' and this object`);
}

function readOne(question: Question, kind: RelatedKind): Decision {
  const { verb, subresource, namespace } = question.attributes;
  if (!['get', 'list', 'watch'].includes(verb)) return unclear('can only read resources of this type');
  if (subresource !== '') return unclear('cannot read subresource');
  if (namespace === '') return unclear('can only read namespaced object of this type');
  return related(question, kind);
}

function getOne(question: Question, kind: RelatedKind): Decision {
  const { verb, subresource } = question.attributes;
  if (verb !== 'get') return unclear('can only get individual resources of this type');
  return subresource === '' ? related(question, kind) : unclear('cannot get subresource');
}

function updateStatus(question: Question, kind: RelatedKind): Decision {
  const { verb } = question.attributes;
  return verb === 'update' || verb === 'patch'
    ? related(question, kind)
    : unclear('can only get/update/patch this type');
}

function serviceAccount(question: Question): Decision {
  const { verb, subresource, name } = question.attributes;
  if (verb === 'get' && subresource === '') {
    const { features } = question;
    return features.enabled('KubeletServiceAccountTokenForCredentialProviders') ||
      features.enabled('PodCertificateRequest')
      ? readOne(question, 'serviceaccount')
      : unclear('not allowed to get service accounts');
  }
  if (verb !== 'create' || name === '') {
    return unclear('can only create tokens for individual service accounts');
  }
  return subresource === 'token'
    ? related(question, 'serviceaccount')
    : unclear('can only create token subresource of serviceaccount');
}

const ownVerbs: readonly string[] = ['get', 'create', 'update', 'patch', 'delete'];
const leaseNamespace = 'kube-node-lease';

/** The name of a new object is not known yet; NodeRestriction checks it then. */
const isNamedLikeNode = ({ node, attributes: { verb, name } }: Question): boolean =>
  verb === 'create' || name === node;

function lease(question: Question): Decision {
  const { verb, namespace } = question.attributes;
  if (!ownVerbs.includes(verb)) {
    return unclear('can only get, create, update, patch, or delete a node lease');
  }
  if (namespace !== leaseNamespace) {
    return unclear(`can only access leases in the ${goQuote(leaseNamespace)} system namespace`);
  }
  return isNamedLikeNode(question)
    ? allowed
    : unclear('can only access node lease with the same name as the requesting node');
}

function csiNode(question: Question): Decision {
  const { verb, subresource } = question.attributes;
  if (!ownVerbs.includes(verb)) return unclear('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return unclear('cannot authorize CSINode subresources');
  return isNamedLikeNode(question)
    ? allowed
    : unclear('can only access CSINode with the same name as the requesting node');
}

function resourceSlice(question: Question): Decision {
  const { verb, subresource } = question.attributes;
  if (subresource !== '') return unclear('cannot authorize ResourceSlice subresources');
  if (verb === 'create') return allowed;
  if (ownVerbs.includes(verb)) return related(question, 'resourceslice');
  if (!['watch', 'list', 'deletecollection'].includes(verb)) {
    return unclear(
      'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    );
  }
  return selectsNode(question)
    ? allowed
    : unclear('can only list/watch/deletecollection resourceslices with nodeName field selector');
}

function nodeItself({ node, attributes: { verb, subresource, name } }: Question): Decision {
  const isWrite = verb === 'update' || verb === 'patch';
  // NodeRestriction checks which node is written.
  if (subresource === 'status') return isWrite ? allowed : noOpinion;
  if (subresource !== '') return noOpinion;
  if (isWrite || verb === 'create') return allowed;
  if (!['get', 'list', 'watch'].includes(verb)) return noOpinion;
  if (name === node) return allowed;
  return unclear(
    name === ''
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

function pod(question: Question): Decision {
  const { verb, subresource, name } = question.attributes;
  switch (`${subresource} ${verb}`) {
    case ' get':
      return getOne(question, 'pod');
    case ' list':
    case ' watch':
      if (selectsNode(question)) return allowed;
      return name === ''
        ? unclear('can only list/watch pods with spec.nodeName field selector')
        : related(question, 'pod');
    case ' create':
    case ' delete':
    case 'status update':
    case 'status patch':
    case 'eviction create':
      return allowed;
    default:
      return noOpinion;
  }
}

function podCertificateRequest(question: Question): Decision {
  const { verb, subresource } = question.attributes;
  if (!question.features.enabled('PodCertificateRequest')) return noOpinion;
  if (subresource !== '') {
    return unclear('nodes may not access the status subresource of PodCertificateRequests');
  }
  switch (verb) {
    case 'create':
      return allowed;
    case 'get':
      return related(question, 'podcertificaterequest');
    case 'list':
    case 'watch':
      return selectsNode(question)
        ? allowed
        : unclear('can only list/watch podcertificaterequests with nodeName field selector');
    default:
      return unclear(`nodes may not ${verb} podcertificaterequests`);
  }
}

function selectsNode({ node, attributes: { fieldSelector = '' } }: Question): boolean {
  if (fieldSelector === '') return false;
  try {
    const selector = parseFieldSelector(fieldSelector);
    return exactFieldMatch(selector, 'spec.nodeName') === node;
  } catch {
    return false;
  }
}
