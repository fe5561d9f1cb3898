import { Button } from '../../../ui/button.tsx'
import { Dialog, FormDialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useLast } from '../../../ui/use-last.ts'
import { deedsInWords, type MailRule, mailsInWords } from './rule-words.ts'
import { useRuleDeeds, useTrial } from './use-rules.ts'

/** Says first how many it would change. */
export const RunDialog = ({ rule, onClose }: { rule: MailRule | null; onClose: () => void }) => {
  const deeds = useRuleDeeds()
  const shown = useLast(rule)
  const query = useTrial(rule)
  const title = `Run “${shown?.name ?? ''}” now?`
  if (rule && query.data && query.data.changed > 0) {
    const { found, changed, more } = query.data
    return (
      <FormDialog
        open
        onClose={onClose}
        title={title}
        about={
          <>
            {mailsInWords(found)} in your inbox {found === 1 ? 'fits' : 'fit'}
            {more && ', and older ones'}. Done with {changed === found ? 'all of them' : changed}:{' '}
            {deedsInWords(rule.does)}. It can be taken back.
          </>
        }
        action="Run now"
        keeps={null}
        onSubmit={async () => {
          await deeds.run(rule)
          onClose()
        }}
      />
    )
  }
  return (
    <Dialog open={rule !== null} onClose={onClose} title={title}>
      <Loaded query={query} lines={2}>
        {({ found }) => (
          <p>
            {found === 0
              ? 'No e-mail in your inbox fits.'
              : `${mailsInWords(found)} in your inbox ${found === 1 ? 'fits, and is' : 'fit, and are'} as the rule says already.`}
          </p>
        )}
      </Loaded>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
