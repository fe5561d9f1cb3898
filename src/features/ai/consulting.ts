import type { Static, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { compileChecker } from '../../platform/checker.ts'
import { AppError } from '../../platform/errors.ts'
import type { Asking, MadeBy, Question } from './asking.ts'
import type { ModelName } from './providers.ts'

/** Who asks, of which model, and how they stop waiting. */
export interface Asker {
  tokenId: string | null
  signal: AbortSignal
  model?: ModelName | undefined
}

export interface Consultation<S extends TSchema> {
  purpose: string
  /** How to go about it, in our own words. */
  instructions: string
  /** What it is about; words of others stand in it as data alone. */
  matter: string
  shape: { name: string; schema: S }
  /** What the form cannot ask for, since not every provider takes such a schema. */
  fits?: (said: Static<S>) => boolean
  stays?: Question['stays']
}

/** `said` is null where no model was asked, or where it failed and the built-in engine answers in its place. */
export interface Opinion<T> {
  said: T | null
  made: MadeBy
}

/** An answer is a page or two; a model that goes on and on is stopped. */
const MOST_TOKENS = 8_000

/** Models put JSON into fences and sentences around it, where their provider does not hold them to a form. */
const jsonIn = (text: string): unknown => {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  try {
    return JSON.parse(text.slice(from, to + 1))
  } catch {
    return undefined
  }
}

const unfit = (): AppError =>
  new AppError(
    'upstream',
    'upstream_failed',
    'The model answered with something other than it was asked for.',
  )

export type Consulting = ReturnType<typeof createConsulting>

/** Asks a model for an answer of one form. What it says is words: whoever asks checks them against what is known. */
export const createConsulting = ({ asking }: { asking: Asking }) => {
  const checkers = new WeakMap<TSchema, Validator>()

  const read = <S extends TSchema>(
    { shape: { schema }, fits = () => true }: Consultation<S>,
    text: string,
  ): Static<S> => {
    const checker = checkers.get(schema) ?? (compileChecker(schema) as Validator)
    checkers.set(schema, checker)
    const said = checker.Clean(jsonIn(text))
    if (!checker.Check(said) || !fits(said as Static<S>)) throw unfit()
    return said as Static<S>
  }

  return {
    unasked: asking.unasked,

    async consult<S extends TSchema>(wish: Consultation<S>, asker: Asker): Promise<Opinion<Static<S>>> {
      const { purpose, instructions, matter, shape, stays } = wish
      const question: Question = {
        ...{ purpose, ...asker, stays, shape, maxTokens: MOST_TOKENS },
        // Not every provider passes a schema on to its model.
        system: `${instructions}\nAnswer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(shape.schema)}`,
        messages: [{ role: 'user', text: matter }],
      }
      const line = await asking.open(question)
      if (line.engine === 'builtin')
        return {
          said: null,
          made: { ...(await asking.builtin(question, line.model)), because: line.because },
        }
      try {
        const { text, made } = await line.answer()
        return { said: read(wish, text), made: { ...made, because: null } }
      } catch (error) {
        if (!asking.fallsBack(error)) throw error
        return {
          said: null,
          made: { ...(await asking.builtin(question, line.model)), because: 'provider_failed' },
        }
      }
    },
  }
}
