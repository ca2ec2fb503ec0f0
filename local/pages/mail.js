// The frame of a mail is as high as the mail: it runs no script that could say so itself.
for (const frame of document.querySelectorAll('iframe.mail')) {
  const grow = () => {
    const page = frame.contentDocument?.documentElement;
    if (!page) return;
    // A page is never lower than its frame: it has to be let go before it is measured.
    frame.style.height = '0';
    frame.style.height = `${page.scrollHeight + 2}px`;
  };
  frame.addEventListener('load', grow);
  addEventListener('resize', grow);
  grow();
}
