/** The file of `--egress-selector-config-file`: `EgressSelectorConfiguration` of `apiserver.k8s.io/v1beta1`. */
import { always, list, optional, pointer, string, struct, type Static } from '@coxswain/schema';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';

const named = (name: string): string => `apiserver/v1beta1.${name}`;

const TlsConfig = struct(named('TLSConfig'), {
  caBundle: always(1, string),
  clientKey: always(2, string),
  clientCert: always(3, string),
  tlsServerName: always(4, string),
});
const Transport = struct(named('Transport'), {
  tcp: pointer(
    1,
    struct(named('TCPTransport'), { url: always(1, string), tlsConfig: pointer(2, TlsConfig) }),
  ),
  uds: pointer(2, struct(named('UDSTransport'), { udsName: always(1, string) })),
});
const Connection = struct(named('Connection'), {
  proxyProtocol: always(1, string),
  transport: pointer(2, Transport),
});
const form = {
  kinds: ['apiserver.k8s.io/v1beta1', 'apiserver.k8s.io/v1alpha1'].map(
    (version) => `${version} EgressSelectorConfiguration`,
  ),
  type: struct(named('EgressSelectorConfiguration'), {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    egressSelections: always(
      1,
      list(struct(named('EgressSelection'), { name: always(1, string), connection: always(2, Connection) })),
    ),
  }),
  isStrict: true,
};

export type StatedTlsConfig = Static<typeof TlsConfig>;
export type StatedTransport = Static<typeof Transport>;
export type StatedConnection = Static<typeof Connection>;

export interface StatedSelection {
  readonly name: string;
  readonly connection: StatedConnection;
}

/** @throws Error with upstream's message for an invalid configuration */
export const readEgressConfiguration = (text: string): readonly StatedSelection[] =>
  decodeConfiguration(text, form).egressSelections ?? [];
