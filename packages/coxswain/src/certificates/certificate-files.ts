/** Paths. */
export interface CertificateFiles {
  readonly caCertFile: string;
  readonly caKeyFile: string;
  readonly servingCertFile: string;
  readonly servingKeyFile: string;
  readonly adminCertFile: string;
  readonly adminKeyFile: string;
  /** Who it vouches for may tell an extension server, in headers, whose request it passes on. */
  readonly frontProxyCaCertFile: string;
  readonly frontProxyCaKeyFile: string;
  /** What the aggregator shows to extension servers: {@link frontProxyName}. */
  readonly frontProxyCertFile: string;
  readonly frontProxyKeyFile: string;
  readonly serviceAccountKeyFile: string;
  readonly serviceAccountPublicKeyFile: string;
}
