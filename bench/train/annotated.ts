import { readFileSync } from 'node:fs'
import type { RequestClass } from '../../src/nlu/intents/classifier.ts'
import { ROLES, type Role } from '../../src/nlu/tagger/tagger.ts'
import type { SlotSentence } from '../nlu/slots.ts'

/* Reads the annotated requests of the project (see sentences/README.md). */

interface AnnotatedRequest extends SlotSentence {
  act: string
  /** A sentence that needs the one before it. */
  isFollowUp: boolean
  /** A third of the personas validates. Nobody reads their sentences. */
  isValidation: boolean
}

const ROLE_NAMES: ReadonlySet<string> = new Set(ROLES)
/** Roles of the annotation that the tagger knows by another name. */
const SAME_ROLE: Readonly<Record<string, Role>> = { newtitle: 'other', from: 'date' }

/** Returns the text without its marks, and the outermost arguments. */
const readMarks = (marked: string): Pick<AnnotatedRequest, 'text' | 'slots'> => {
  const slots: { role: Role; start: number; end: number; text: string }[] = []
  const open: { role: string; start: number }[] = []
  let text = ''
  for (let at = 0; at < marked.length; at++) {
    const opening = marked[at] === '[' ? /^\[([a-z_]+) /.exec(marked.slice(at, at + 30)) : null
    if (opening) {
      open.push({ role: opening[1] as string, start: text.length })
      at += opening[0].length - 1
    } else if (marked[at] === ']' && open.length > 0) {
      const { role, start } = open.pop() as { role: string; start: number }
      const known = SAME_ROLE[role] ?? (ROLE_NAMES.has(role) ? (role as Role) : undefined)
      if (known && open.length === 0)
        slots.push({ role: known, start, end: text.length, text: text.slice(start) })
    } else text += marked[at]
  }
  return { text, slots }
}

export const loadAnnotatedRequests = (): AnnotatedRequest[] =>
  (['en', 'de'] as const).flatMap((language) => {
    const file = new URL(`sentences/requests.${language}.txt`, import.meta.url)
    let personas = 0
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        if (line.startsWith('#')) personas++
        if (line.trim() === '' || line.startsWith('#')) return []
        return line.split(' // ').map((part): AnnotatedRequest => {
          const [act = '', ...marked] = part.trim().split(' | ')
          return {
            language,
            source: 'annotated',
            act,
            isFollowUp: line.startsWith('  '),
            isValidation: personas % 3 === 0,
            ...readMarks(marked.join(' | ')),
          }
        })
      })
  })

const CLASSES: Readonly<Record<string, RequestClass>> = {
  make_event: 'make_event',
  make_task: 'make_task',
  change_event: 'change_event',
  cancel_event: 'change_event',
  said_off: 'change_event',
  said_absent: 'change_event',
  said_changed: 'change_event',
  change_task: 'change_task',
  complete_task: 'change_task',
  delete_task: 'change_task',
  said_done: 'change_task',
  ask_events: 'ask_events',
  ask_free: 'ask_events',
  ask_tasks: 'ask_tasks',
  ask_mail: 'ask_mail',
  write_mail: 'write_mail',
  change_mail: 'change_mail',
  overview: 'overview',
  date: 'date',
  outside: 'outside',
}

/** The kind of a request that stands alone. The other acts are read elsewhere. */
export const classOf = ({ act, isFollowUp }: AnnotatedRequest): RequestClass | undefined =>
  isFollowUp ? undefined : CLASSES[act]
