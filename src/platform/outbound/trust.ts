import type { ConnectionOptions } from 'node:tls'

/**
 * With a certificate of its own a server is known by that and by nothing else, whatever name stands in it; without
 * one, by what the machine trusts.
 */
export const trustIn = (certificate: string | null): ConnectionOptions =>
  certificate === null
    ? { minVersion: 'TLSv1.2' }
    : {
        minVersion: 'TLSv1.2',
        ca: certificate,
        allowPartialTrustChain: true,
        checkServerIdentity: (_host, peer) =>
          certificate.replace(/\s/g, '').includes(peer.raw.toString('base64'))
            ? undefined
            : Object.assign(new Error('This is another certificate.'), { code: 'CERT_UNTRUSTED' }),
      }
