import { createHash } from 'node:crypto'
import { readLicence } from './licences.ts'
import type { Manifest, Package } from './packages.ts'

export interface Component {
  type: 'library' | 'application'
  'bom-ref': string
  name: string
  version: string
  purl: string
  licenses?: ({ expression: string } | { license: { id: string } })[]
  hashes?: { alg: string; content: string }[]
}

const toPurl = ({ name, version }: Manifest): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

const toLicences = (expression: string): NonNullable<Component['licenses']> =>
  /[ ()]/.test(expression) ? [{ expression }] : [{ license: { id: expression } }]

const toHashes = (integrity: string | undefined): NonNullable<Component['hashes']> => {
  const [, hash] = /^sha512-(.+)$/.exec(integrity ?? '') ?? []
  return hash === undefined ? [] : [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }]
}

const toComponent = (each: Package): Component => ({
  type: 'library',
  'bom-ref': toPurl(each.manifest),
  name: each.manifest.name,
  version: each.manifest.version,
  purl: toPurl(each.manifest),
  licenses: toLicences(readLicence(each)),
  hashes: toHashes(each.integrity),
})

/** Creates a CycloneDX 1.6 document. The serial number depends on the content only. */
export const createSbom = ({
  manifest,
  packages,
  others = [],
  seconds,
}: {
  manifest: Manifest
  packages: readonly Package[]
  /** Components from other sources than npm. */
  others?: readonly Component[]
  seconds: number
}) => {
  const refs = new Map(packages.map((each) => [each.path, toPurl(each.manifest)]))
  const known = new Set(refs.values())
  const root = toPurl(manifest)
  const content = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': root,
        name: manifest.name,
        version: manifest.version,
        purl: root,
        licenses: toLicences(String(manifest.license)),
      },
    },
    components: [...packages.map(toComponent), ...others],
    dependencies: [
      { ref: root, dependsOn: [...known, ...others.map((other) => other['bom-ref'])].sort() },
      ...packages.map((each) => ({
        ref: toPurl(each.manifest),
        dependsOn: [...new Set(each.dependsOn.flatMap((path) => refs.get(path) ?? []))].sort(),
      })),
    ],
  }
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  // A version 8 UUID (RFC 9562): the bits are our own choice, apart from version and variant.
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  return { ...content, serialNumber: `urn:uuid:${uuid}` }
}

/** Checks a document against the schema of CycloneDX. Throws with the first violations. */
export const validateSbom = async (document: string): Promise<void> => {
  const { Spec, Validation } = await import('@cyclonedx/cyclonedx-library')
  const violations = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(document)
  if (violations !== null)
    throw new Error(
      `The software bill of materials is not valid: ${JSON.stringify(violations).slice(0, 1000)}`,
    )
}
