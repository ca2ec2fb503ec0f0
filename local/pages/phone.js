// The computer's keyboard as the keypad of the call that is spoken on, where no field is being filled in.
document.addEventListener('keydown', (event) => {
  if (event.target.closest?.('input, select, textarea') || event.ctrlKey || event.metaKey || event.altKey)
    return;
  if (!/^[0-9*#]$/.test(event.key)) return;
  document.querySelector(`.keypad button[value="${event.key}"]`)?.click();
});
