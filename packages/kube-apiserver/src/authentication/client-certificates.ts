/**
 * The server's client certificate authentication: uids if the feature is enabled, and the metric of certificates'
 * remaining lifetimes.
 */
import { createHash } from 'node:crypto';
import type { Authenticator } from '@coxswain/apiserver';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { clientCertificate } from '@coxswain/apiserver/authentication/x509/client-certificate.ts';
import type { Authorities } from '@coxswain/apiserver/authentication/x509/authorities.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';

const hour = 3600;
const day = 24 * hour;

/** Upper bounds in seconds. */
const lifetimeBounds: readonly number[] = [
  0,
  hour / 2,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  4 * day,
  7 * day,
  30 * day,
  90 * day,
  180 * day,
  360 * day,
];

export function clientCertificateAuthenticator(
  authorities: Authorities,
  features: FeatureGates,
  metrics: Metrics,
): Authenticator {
  const lifetimes = metrics.histogram(
    'apiserver_client_certificate_expiration_seconds',
    'Distribution of the remaining lifetime on the certificate used to authenticate a request.',
    lifetimeBounds,
  );
  return clientCertificate({
    authorities,
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    readsUid: features.enabled('AllowParsingUserUIDFromCertAuth'),
    noteLifetime: (seconds) => lifetimes.observe(seconds),
  });
}
