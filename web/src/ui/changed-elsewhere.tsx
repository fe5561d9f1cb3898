import { GitMerge } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/ui'
import { describeError } from '../api/problem.ts'
import { Button } from './button.tsx'
import { useFormState } from './form.tsx'
import { Notice } from './notice.tsx'

interface ChangedElsewhereProps {
  /** Describes the saved value. */
  theirs: string
  onTakeTheirs: () => void
  onKeepMine: () => Promise<void>
}

/**
 * Conflict notice for a form whose resource was changed elsewhere. Nothing is overwritten without a decision.
 */
export const ChangedElsewhere = ({ theirs, onTakeTheirs, onKeepMine }: ChangedElsewhereProps) => {
  const [failure, setFailure] = useState<string | null>(null)
  const { discard } = useFormState()
  const take = () => {
    discard()
    onTakeTheirs()
  }
  const save = () => {
    setFailure(null)
    onKeepMine()
      .then(discard)
      .catch((error: unknown) => setFailure(describeError(error)))
  }
  return (
    <div role="alert">
      <Notice tone="warn" icon={GitMerge}>
        <p>
          <strong>{t.changedElsewhere}</strong> {theirs} {t.notSavedYet}
        </p>
        {failure !== null && <p>{failure}</p>}
        <div className="form-actions">
          <Button size="small" onClick={take}>
            {t.loadSaved}
          </Button>
          <Button size="small" onClick={save}>
            {t.saveMine}
          </Button>
        </div>
      </Notice>
    </div>
  )
}
