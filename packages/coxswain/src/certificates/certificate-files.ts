/** The paths of certificates and keys. */
export interface CertificateFiles {
  readonly caCertFile: string;
  readonly caKeyFile: string;
  readonly servingCertFile: string;
  readonly servingKeyFile: string;
  readonly adminCertFile: string;
  readonly adminKeyFile: string;
  /**
   * Holders of a certificate from this authority may tell an extension server, in headers, whose request they forward.
   */
  readonly frontProxyCaCertFile: string;
  readonly frontProxyCaKeyFile: string;
  /** The client certificate that the aggregator presents to extension servers, with the name {@link frontProxyName}. */
  readonly frontProxyCertFile: string;
  readonly frontProxyKeyFile: string;
  readonly serviceAccountKeyFile: string;
  readonly serviceAccountPublicKeyFile: string;
}
