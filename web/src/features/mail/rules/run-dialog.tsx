import { Button } from '../../../ui/button.tsx'
import { Dialog, FormDialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { countEmails, describeRuleActions, type MailRule } from './rule-words.ts'
import { useDryRun, useRuleActions } from './use-rules.ts'

/** Shows the result of a dry run before running a rule. */
export const RunDialog = ({ rule, onClose }: { rule: MailRule | null; onClose: () => void }) => {
  const ruleActions = useRuleActions()
  const displayed = useLastValue(rule)
  const query = useDryRun(rule)
  const title = `Run “${displayed?.name ?? ''}” now?`
  if (rule && query.data && query.data.changed > 0) {
    const { found, changed, more } = query.data
    return (
      <FormDialog
        open
        onClose={onClose}
        title={title}
        about={
          <>
            {countEmails(found)} in your inbox {found === 1 ? 'fits' : 'fit'}
            {more && ', and older ones'}. Done with {changed === found ? 'all of them' : changed}:{' '}
            {describeRuleActions(rule.does)}. It can be taken back.
          </>
        }
        action="Run now"
        savedAs={null}
        onSubmit={async () => {
          await ruleActions.run(rule)
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
              : `${countEmails(found)} in your inbox ${found === 1 ? 'fits, and is' : 'fit, and are'} as the rule says already.`}
          </p>
        )}
      </Loaded>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
