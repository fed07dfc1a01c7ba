/** Signs approved requests for Kubernetes' signers. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { formatTime } from '@coxswain/apimachinery/time.ts';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { startReconciler } from '../reconciler.ts';
import {
  certificateRequests,
  hasCondition,
  isIssued,
  withCondition,
  type CertificateRequest,
} from './certificate-request.ts';
import { requestedSubject } from './requested-subject.ts';
import { signerRules } from './signer-rules.ts';

const retryFirstMs = 200;
const retryMaxMs = 1_000_000;
const lifetimeMsMin = 10 * 60_000;

export const certificateSigner: Controller = {
  name: 'certificatesigningrequest-signing-controller',
  aliases: ['csrsigning'],
  serviceAccount: 'certificate-controller',
  start(context) {
    const { clock, settings } = context;
    const { signingPairs = {}, signingLifetimeMs } = settings;
    if (Object.keys(signingPairs).length === 0) return;
    const requests = context.informers.informer<CertificateRequest>(certificateRequests);
    const client = context.client.resource<CertificateRequest>(certificateRequests);
    const reconciler = startReconciler(context, {
      queueName: 'certificate',
      retryFirstMs,
      retryMaxMs,
      ready: () => requests.synced,
      reconcile: async function syncSigning(name) {
        const request = requests.lister.get(name);
        if (request === undefined || isIssued(request)) return;
        if (!hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
        if (hasCondition(request, 'Failed')) return;
        const { signerName, usages = [], expirationSeconds } = request.spec;
        const pair = signingPairs[signerName];
        const rule = signerRules[signerName];
        if (pair === undefined || rule === undefined) return;
        const subject = await requestedSubject(request);
        const problem = rule(subject, usages);
        const lifetimeMs = lifetimeOf(expirationSeconds, signingLifetimeMs);
        context.observer?.note?.({ signerName, subject: subject.commonName, problem, lifetimeMs });
        if (problem !== undefined) {
          await client.updateStatus(withCondition(request, failed(problem, clock.now())));
          return;
        }
        const pem = await inWallTime(async () => {
          const { signCertificate } = await import('./certificate-authority.ts');
          return signCertificate(pair(), subject, { usages, lifetimeMs, nowMs: clock.now() });
        });
        await client.updateStatus({ ...request, status: { ...request.status, certificate: btoa(pem) } });
      },
    });
    const wake = (request: CertificateRequest) => reconciler.addObject(request);
    requests.addHandler(onWrite(wake));
  },
};

const failed = (message: string, nowMs: number) => ({
  type: 'Failed',
  status: 'True',
  reason: 'SignerValidationFailure',
  message,
  lastUpdateTime: formatTime(nowMs),
});

/** Returns the requested lifetime, within limits. */
function lifetimeOf(expirationSeconds: number | undefined, lifetimeMsMax: number): number {
  if (expirationSeconds === undefined) return lifetimeMsMax;
  const askedMs = expirationSeconds * 1000;
  return askedMs > lifetimeMsMax ? lifetimeMsMax : Math.max(askedMs, lifetimeMsMin);
}
