/** The flags of the port, TLS and HTTP. */
import { bool, int, int32Slice, ip, section, string, stringSlice } from '@coxswain/cobra';
import { insecureSuites, preferredSuites } from '@coxswain/apiserver/http/tls/cipher-suites.ts';
import { versionNames } from '@coxswain/apiserver/http/tls/protocol-versions.ts';
import { namedCertificates } from '../flag-kinds.ts';

export const servingFlags = section('Secure serving', {
  bindAddress: ip({ default: '0.0.0.0', usage: 'The IP address to listen on.' }),
  certDir: string({
    default: '/var/run/kubernetes',
    usage: 'The directory of apiserver.crt and apiserver.key, which are generated if missing.',
  }),
  disableHttp2Serving: bool({ name: 'disable-http2-serving', usage: 'Serve HTTP/1.1 only.' }),
  http2MaxStreamsPerConnection: int({
    name: 'http2-max-streams-per-connection',
    usage: 'The maximum number of concurrent streams per connection. 0 means 100.',
  }),
  permitAddressSharing: bool({
    usage: 'Allow other processes to listen on the same port at another address. Always allowed here.',
  }),
  permitPortSharing: bool({ usage: 'Allow other processes to listen on the same port.' }),
  securePort: int({ default: 6443, usage: 'The port to listen on. 0 picks a free port.' }),
  tlsCertFile: string({ usage: 'The certificate file of the server.' }),
  tlsCipherSuites: stringSlice({
    usage: `Cipher suites for TLS 1.2. Defaults to those with forward secrecy and authenticated encryption.\nPreferred values: ${preferredSuites.join(', ')}.\nInsecure values: ${insecureSuites.join(', ')}.`,
  }),
  tlsCurvePreferences: int32Slice({
    usage:
      'The allowed key exchanges, by number: 29 (X25519), 23, 24, 25 (P-256, P-384, P-521), 4588 (X25519MLKEM768), 4587, 4589.',
  }),
  tlsMinVersion: string({ usage: `The minimum TLS version: ${versionNames.join(', ')}.` }),
  tlsPrivateKeyFile: string({ usage: 'The private key file for --tls-cert-file.' }),
  tlsSniCertKey: namedCertificates({
    usage:
      'A certificate and key for specific host names, as foo.crt,foo.key or foo.crt,foo.key:*.foo.com,foo.com. Without names, those in the certificate apply. Can be repeated.',
  }),
});
