import { useCallback, useRef, useState } from 'react'
import * as t from '#locale/calendar'
import * as common from '#locale/shared-texts'
import { FormDialog } from '../../ui/dialog.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import type { Scope } from './delete-event.ts'

/** `changeRule` changes the recurrence rule or the calendar, which cannot apply to a single occurrence. */
export type SeriesAction = 'change' | 'changeRule' | 'delete' | 'respond'

/** Asks which occurrences are meant. Null: the user cancelled. */
export type AskScope = (action: SeriesAction) => Promise<Scope | null>

const QUESTIONS: Record<SeriesAction, { title: string; button: string; scopes: readonly Scope[] }> = {
  change: { title: t.changeSeries, button: t.change, scopes: ['this', 'following', 'all'] },
  changeRule: { title: t.changeSeries, button: t.change, scopes: ['following', 'all'] },
  delete: { title: t.deleteSeries, button: common.remove, scopes: ['this', 'following', 'all'] },
  respond: { title: t.respondToSeries, button: t.respond, scopes: ['this', 'all'] },
}

/** Asks which occurrences of a series an action applies to. */
export const useScopeQuestion = () => {
  const [action, setAction] = useState<SeriesAction | null>(null)
  const answer = useRef<(scope: Scope | null) => void>(() => {})
  const { title, button, scopes } = QUESTIONS[useLastValue(action) ?? 'change']

  const ask: AskScope = useCallback(
    (asked) =>
      new Promise((resolve) => {
        answer.current = resolve
        setAction(asked)
      }),
    [],
  )
  const settle = (scope: Scope | null) => {
    setAction(null)
    answer.current(scope)
  }
  const element = (
    <FormDialog
      open={action !== null}
      onClose={() => settle(null)}
      title={title}
      action={button}
      danger={action === 'delete'}
      onSubmit={(values) => settle(String(values.get('scope')) as Scope)}
    >
      <fieldset className="field">
        <legend className="visually-hidden">{t.whichEvents}</legend>
        {scopes.map((scope, index) => (
          <label key={scope} className="check">
            <input type="radio" name="scope" value={scope} defaultChecked={index === 0} />
            <span>{t.scopes[scope]}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
  return { ask, element }
}
