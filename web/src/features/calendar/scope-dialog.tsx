import { useCallback, useRef, useState } from 'react'
import { FormDialog } from '../../ui/dialog.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import type { Scope } from './delete-event.ts'

interface Question {
  verb: 'Change' | 'Delete'
  /** False for changes of the recurrence rule, which apply to the series and not to one occurrence. */
  canThis: boolean
}

const WORDS: Record<Scope, string> = {
  this: 'This event',
  following: 'This and all that follow',
  all: 'All events of the series',
}

/** Asks which occurrences of a series a change applies to. */
export const useScopeQuestion = () => {
  const [question, setQuestion] = useState<Question | null>(null)
  const answer = useRef<(scope: Scope | null) => void>(() => {})
  const displayed = useLastValue(question)

  const ask = useCallback(
    (asked: Question): Promise<Scope | null> =>
      new Promise((resolve) => {
        answer.current = resolve
        setQuestion(asked)
      }),
    [],
  )
  const settle = (scope: Scope | null) => {
    setQuestion(null)
    answer.current(scope)
  }
  const scopes = (['this', 'following', 'all'] as const).filter(
    (scope) => scope !== 'this' || displayed?.canThis,
  )
  const element = (
    <FormDialog
      open={question !== null}
      onClose={() => settle(null)}
      title={`${displayed?.verb ?? 'Change'} a repeating event`}
      action={displayed?.verb ?? 'Change'}
      danger={displayed?.verb === 'Delete'}
      onSubmit={(values) => settle(String(values.get('scope')) as Scope)}
    >
      <fieldset className="field">
        <legend className="only-heard">Which events</legend>
        {scopes.map((scope, index) => (
          <label key={scope} className="check">
            <input type="radio" name="scope" value={scope} defaultChecked={index === 0} />
            <span>{WORDS[scope]}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
  return { ask, element }
}
