/** The port, and how it speaks TLS and HTTP. */
import { bool, int, int32Slice, ip, section, string, stringSlice } from '@coxswain/cobra';
import { insecureSuites, preferredSuites } from '@coxswain/apiserver/http/tls/cipher-suites.ts';
import { versionNames } from '@coxswain/apiserver/http/tls/protocol-versions.ts';
import { namedCertificates } from './flag-kinds.ts';

export const servingFlags = section('Secure serving', {
  bindAddress: ip({ default: '0.0.0.0', usage: 'The address to listen on.' }),
  certDir: string({
    default: '/var/run/kubernetes',
    usage: 'Where apiserver.crt and apiserver.key are, or are put when the server makes them.',
  }),
  disableHttp2Serving: bool({ name: 'disable-http2-serving', usage: 'Speak HTTP/1.1 only.' }),
  http2MaxStreamsPerConnection: int({
    name: 'http2-max-streams-per-connection',
    usage: 'Streams at once that a client may open; 0 for 100.',
  }),
  permitAddressSharing: bool({
    usage: 'Listen while others listen on the same port of another address. Always so here.',
  }),
  permitPortSharing: bool({ usage: 'Let other processes listen on the same port.' }),
  securePort: int({ default: 6443, usage: 'The port to listen on; 0 for any that is free.' }),
  tlsCertFile: string({ usage: 'The certificate that the server shows.' }),
  tlsCipherSuites: stringSlice({
    usage: `Suites of TLS 1.2; those that are forward secret and authenticated when none is named.\nPreferred values: ${preferredSuites.join(', ')}.\nInsecure values: ${insecureSuites.join(', ')}.`,
  }),
  tlsCurvePreferences: int32Slice({
    usage:
      'Numbers of key exchanges that are allowed: 29 (X25519), 23, 24, 25 (P-256, P-384, P-521), 4588 (X25519MLKEM768), 4587, 4589.',
  }),
  tlsMinVersion: string({ usage: `The oldest version of TLS: ${versionNames.join(', ')}.` }),
  tlsPrivateKeyFile: string({ usage: 'The key of --tls-cert-file.' }),
  tlsSniCertKey: namedCertificates({
    usage:
      'A certificate and its key, after a colon the names that clients ask for to see it, else those in it: foo.crt,foo.key:*.foo.com,foo.com. May be given several times.',
  }),
});
