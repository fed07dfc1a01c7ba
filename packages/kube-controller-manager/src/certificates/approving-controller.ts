/** Approves kubelets' requests for client certificates if the requester is authorized. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { startReconciler } from '../reconciler.ts';
import {
  certificateRequests,
  hasCondition,
  isIssued,
  signerNames,
  withCondition,
  type CertificateRequest,
} from './certificate-request.ts';
import { requestedSubject, type RequestedSubject } from './requested-subject.ts';
import { kubeletClientProblem } from './signer-rules.ts';

interface Recognizer {
  readonly recognizes: (request: CertificateRequest, subject: RequestedSubject) => boolean;
  /** The subresource of certificatesigningrequests that the requester must be allowed to create. */
  readonly subresource: string;
  readonly message: string;
}

const recognizers: readonly Recognizer[] = [
  {
    recognizes: (request, subject) =>
      request.spec.username === subject.commonName && isOfKubelet(request, subject),
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  },
  {
    recognizes: isOfKubelet,
    subresource: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  },
];

/** Requests that can't be approved are retried with growing delays. */
const retryFirstMs = 200;
const retryMaxMs = 1_000_000;

export const certificateApprover: Controller = {
  name: 'certificatesigningrequest-approving-controller',
  aliases: ['csrapproving'],
  serviceAccount: 'certificate-controller',
  start(context) {
    const requests = context.informers.informer<CertificateRequest>(certificateRequests);
    const client = context.client.resource<CertificateRequest>(certificateRequests);
    const reviews = context.client.resource('authorization.k8s.io/v1', 'subjectaccessreviews');

    const isAllowed = async (request: CertificateRequest, subresource: string): Promise<boolean> => {
      const answer = await reviews.create(reviewOf(request, subresource));
      return (answer as { status?: { allowed?: boolean } }).status?.allowed === true;
    };

    const reconciler = startReconciler(context, {
      queueName: 'certificate',
      retryFirstMs,
      retryMaxMs,
      ready: () => requests.synced,
      reconcile: async function syncApproval(name) {
        const request = requests.lister.get(name);
        if (request === undefined || request.spec.signerName !== signerNames.kubeletClient) return;
        if (isIssued(request) || hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
        const subject = await requestedSubject(request);
        const recognized = recognizers.filter(({ recognizes }) => recognizes(request, subject));
        for (const { subresource, message } of recognized) {
          const allowed = await isAllowed(request, subresource);
          context.observer?.note?.({ requester: request.spec.username, recognizedAs: subresource, allowed });
          if (!allowed) continue;
          const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
          await client.update(withCondition(request, condition), { subresource: 'approval' });
          return;
        }
        if (recognized.length === 0) return;
        const tried = recognized.map(({ subresource }) => subresource).join(' ');
        throw new Error(`recognized csr "${name}" as [${tried}] but subject access review was not approved`);
      },
    });
    const wake = (request: CertificateRequest) => reconciler.addObject(request);
    requests.addHandler(onWrite(wake));
  },
};

function isOfKubelet({ spec }: CertificateRequest, subject: RequestedSubject): boolean {
  const { signerName, usages = [] } = spec;
  return signerName === signerNames.kubeletClient && kubeletClientProblem(subject, usages) === undefined;
}

function reviewOf({ spec }: CertificateRequest, subresource: string): KubeObject {
  const { username: user, uid, groups, extra } = spec;
  const resourceAttributes = {
    group: 'certificates.k8s.io',
    resource: 'certificatesigningrequests',
    verb: 'create',
    subresource,
    version: '*',
  };
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, uid, groups, extra, resourceAttributes },
  } as unknown as KubeObject;
}
