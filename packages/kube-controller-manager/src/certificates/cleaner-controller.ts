/** Deletes certificate signing requests that are no longer needed. */
import { epochMsOf, ignoring } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import {
  certificateRequests,
  conditionsOf,
  isIssued,
  type CertificateRequest,
} from './certificate-request.ts';
import { loadX509 } from './load-x509.ts';

const periodMs = 3_600_000;
/** Decided requests are kept for an hour, undecided ones for a day. */
const decidedMsMax = 3_600_000;
const pendingMsMax = 24 * 3_600_000;

export const certificateRequestCleaner: Controller = {
  name: 'certificatesigningrequest-cleaner-controller',
  aliases: ['csrcleaner'],
  serviceAccount: 'certificate-controller',
  start(context) {
    const { clock, signal } = context;
    const requests = context.informers.informer<CertificateRequest>(certificateRequests);
    const client = context.client.resource(certificateRequests);
    const clean = async (request: CertificateRequest): Promise<void> => {
      if (!isPast(request, clock.now()) && !(await hasExpired(request, clock.now()))) return;
      await ignoring('NotFound', client.delete(request.metadata.name ?? ''));
    };
    context.run(
      (async () => {
        await requests.synced;
        while (!signal.aborted) {
          for (const request of requests.lister.list()) {
            await clean(request).catch((failure: unknown) => context.onError(failure, request.metadata.name));
          }
          await clock.sleep(periodMs, signal).catch(() => undefined);
        }
      })(),
    );
  },
};

/** Whether it has been in its state for too long. */
export function isPast(request: CertificateRequest, nowMs: number): boolean {
  const conditions = conditionsOf(request);
  if (conditions.length === 0) return isOlder(request.metadata.creationTimestamp, pendingMsMax, nowMs);
  return conditions.some(({ type, lastUpdateTime }) => {
    if (type === 'Denied' || type === 'Failed') return isOlder(lastUpdateTime, decidedMsMax, nowMs);
    if (type !== 'Approved') return false;
    return isOlder(lastUpdateTime, isIssued(request) ? decidedMsMax : pendingMsMax, nowMs);
  });
}

const isOlder = (time: string | undefined, ageMsMax: number, nowMs: number): boolean =>
  time !== undefined && nowMs - epochMsOf(time) > ageMsMax;

async function hasExpired(request: CertificateRequest, nowMs: number): Promise<boolean> {
  if (!isIssued(request) || !conditionsOf(request).some(({ type }) => type === 'Approved')) return false;
  const x509 = await loadX509();
  try {
    return nowMs > new x509.X509Certificate(atob(request.status!.certificate!)).notAfter.getTime();
  } catch {
    // The expiry of an unreadable certificate is unknown.
    return false;
  }
}
