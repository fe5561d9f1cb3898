import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Creates a key and a self-signed certificate for these names. */
export const makeCertificate = (...names: string[]): { key: string; cert: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'factotum-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${names[0]}`
  const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`
  execFileSync('openssl', [...request.split(' '), '-addext', alternatives, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  try {
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Trusts a certificate until the returned function is called. */
export const trustCertificate = (cert: string): (() => void) => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  return () => setDefaultCACertificates(before)
}
