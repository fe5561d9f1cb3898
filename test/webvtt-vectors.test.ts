import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type CueNode,
  readCueText,
  readWebvtt,
  writeCue,
  writeHeader,
  writeTimestamp,
} from '../src/features/stream/webvtt.ts'

const DIRECTORY = '../shared/data/webvtt-wpt'
const isThere = existsSync(DIRECTORY)
if (!isThere) console.warn(`${DIRECTORY} does not exist: the web-platform-tests vectors are skipped.`)

const readLines = <T>(name: string): T[] =>
  isThere
    ? readFileSync(`${DIRECTORY}/${name}`, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as T)
    : []

interface FileVector {
  id: string
  vtt: string
  valid: boolean
  cues: { id: string; startTime: number; endTime: number; text: string }[]
}
interface TextVector {
  id: string
  cue_text_escaped: string
  fragment: string
}

const read = (vtt: string) =>
  readWebvtt(vtt)?.cues.map(({ id, startMs, endMs, text }) => ({
    id,
    startTime: startMs / 1000,
    endTime: endMs / 1000,
    text,
  }))

const readEscapes = (text: string): string =>
  text
    .replace(/\\(?:x([\da-f]{2})|u([\da-f]{4}))/gi, (_, x, u) =>
      String.fromCharCode(Number.parseInt(x ?? u, 16)),
    )
    .replaceAll('\\t', '\t')
    .replaceAll('\\n', '\n')
    .replaceAll('\\f', '\f')
    .replaceAll('\\r', '\r')

const ELEMENTS = { c: 'span', v: 'span', lang: 'span', i: 'i', b: 'b', u: 'u', ruby: 'ruby', rt: 'rt' }

/** Formats the tree in the notation of the vectors. */
const draw = (nodes: readonly CueNode[], indent = ''): string[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'text') return [`| ${indent}"${node.text}"`]
    if (node.kind === 'timestamp') return [`| ${indent}<?timestamp ${writeTimestamp(node.ms)}>`]
    const attributes = [
      ...(node.classes.length > 0 ? [`class="${node.classes.join(' ')}"`] : []),
      ...(node.kind === 'lang' ? [`lang="${node.annotation}"`] : []),
      ...(node.kind === 'v' ? [`title="${node.annotation}"`] : []),
    ]
    const inner = `${indent}  `
    return [
      `| ${indent}<${ELEMENTS[node.kind]}>`,
      ...attributes.map((attribute) => `| ${inner}${attribute}`),
      ...draw(node.children, inner),
    ]
  })

describe.skipIf(!isThere)('web-platform-tests vectors', () => {
  const files = readLines<FileVector>('files.public.jsonl')

  it.each(files.map((file) => [file.id, file] as const))('%s has the expected cues', (_, file) => {
    expect(read(file.vtt)).toEqual(file.valid ? file.cues : undefined)
  })

  it.each(files.filter(({ valid }) => valid).map((file) => [file.id, file] as const))(
    '%s is parsed as written',
    (_, { vtt }) => {
      const file = readWebvtt(vtt)
      const written = [
        writeHeader(file?.blocks ?? []),
        ...(file?.cues ?? []).map((cue) => writeCue({ ...cue, speaker: null, markup: cue.text })),
      ].join('')
      expect(readWebvtt(written)).toEqual(file)
    },
  )

  it.each(readLines<TextVector>('cue_text.public.jsonl').map((vector) => [vector.id, vector] as const))(
    '%s has the expected nodes',
    (_, { cue_text_escaped, fragment }) => {
      expect(draw(readCueText(readEscapes(cue_text_escaped))).join('\n')).toBe(readEscapes(fragment))
    },
  )
})
